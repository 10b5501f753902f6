/* The calls that a thread is in, from the records on its stack (core/frame.h).
 *
 * A parked thread's innermost record is in the frame that hd_point made (switch.S), the
 * running thread's in __heddle_frame.  The program may have written anywhere, so a record must
 * lie on the thread's stack, and a chain of them ends.  (They need not lie above each other: a
 * function that was inlined has its record in the frame of its caller, anywhere in it.) */
#include "runtime/rt.h"

#include "core/site.h"

enum {
    PARKED_FRAME = 16, /* bytes above sp: __heddle_frame (switch.S) */
    MOST_RECORDS = 16 * HD_MAX_FRAMES,
};

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));
extern const uint32_t __start_heddle_points[] __attribute__((weak));

static bool same_point(uint32_t a, uint32_t b)
{
    uint32_t n = __start_heddle_info->n_sites;
    return a < n && b < n && __start_heddle_points[a] == __start_heddle_points[b] &&
           __start_heddle_points[a] != ~0u;
}

/* `site`: the thread's current place.  A library function that may call back has a record
 * around its call; while it makes an action itself, that call is the current place. */
static uint32_t walk(uint32_t thread, uint32_t site, uint64_t low, const struct hd_frame *frame,
                     uint32_t sites[HD_MAX_FRAMES])
{
    uint64_t top = rt->fibers[thread].top;
    uint32_t n = 0, met = 0;
    while ((uint64_t)(uintptr_t)frame >= low &&
           (uint64_t)(uintptr_t)frame + sizeof *frame <= top &&
           (uint64_t)(uintptr_t)frame % 8 == 0 && n < HD_MAX_FRAMES && met++ < MOST_RECORDS &&
           frame->site < __start_heddle_info->n_sites) {
        if (frame->site && !(n == 0 && same_point(frame->site, site)))
            sites[n++] = frame->site;
        frame = frame->caller;
    }
    return n;
}

uint32_t hd_stack_parked(void *self, uint32_t thread, uint32_t sites[HD_MAX_FRAMES])
{
    (void)self;
    uint64_t sp = rt->fibers[thread].sp;
    const struct hd_frame *frame = *(const struct hd_frame **)(sp + PARKED_FRAME);
    return walk(thread, rt->next[thread].site, sp, frame, sites);
}

/* Records of the running thread lie above. */
static uint64_t running_low(void)
{
    uint64_t low = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    bool elsewhere = low >= f->top || low < f->top - f->bytes; /* a handler's own stack */
    return elsewhere ? f->top - f->bytes : low;
}

static uint32_t keep(const uint32_t *sites, uint32_t n)
{
    uint32_t stack = 0;
    while (n)
        stack = hd_stacks_keep(&rt->shared->stacks, stack, sites[--n]);
    return stack;
}

/* The innermost call that knows the type of what it gets.  The first record is that of the
 * call of the function that is running. */
uint32_t hd_stack_maker(uint32_t site)
{
    uint32_t sites[HD_MAX_FRAMES];
    if (rt->mode != HD_REPLAYING || site >= __start_heddle_info->n_sites)
        return 0;
    const char *type = __start_heddle_strings + __start_heddle_sites[site].type;
    if (*type != *HD_TYPE_RETURNED)
        return site;
    uint32_t n = walk(rt->cur, site, running_low(), __heddle_frame, sites);
    for (uint32_t i = 0; i < n; i++) {
        type = __start_heddle_strings + __start_heddle_sites[sites[i]].type;
        if (*type != *HD_TYPE_RETURNED)
            return sites[i];
    }
    return site;
}

uint32_t hd_stack_keep(uint32_t thread)
{
    uint32_t sites[HD_MAX_FRAMES];
    return rt->mode == HD_REPLAYING ? keep(sites, hd_stack_parked(NULL, thread, sites)) : 0;
}

uint32_t hd_stack_keep_running(uint32_t site)
{
    uint32_t sites[HD_MAX_FRAMES];
    if (rt->mode != HD_REPLAYING)
        return 0;
    return keep(sites, walk(rt->cur, site, running_low(), __heddle_frame, sites));
}
