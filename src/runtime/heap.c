/* The heap: one arena per thread, so that an address depends on the allocating thread's own
 * history alone and allocations of different threads commute. block.h describes its layout.
 *
 * Freed blocks go to a list of the thread that *frees* (again its own history) and are reused,
 * the oldest first, only when that thread has used up HD_HEAP_FRESH bytes of fresh slots of
 * their class.  So short executions never reuse an address, and in long ones a freed block is
 * recognised for a while.
 *
 * Fresh bytes are filled with a pattern: what a program reads from uninitialised memory must
 * not depend on the executions before. */
#include "runtime/heap.h"
#include "runtime/lock_parts.h"

#include "runtime/fault.h"
#include "runtime/memory.h"
#include "runtime/notes.h"
#include "runtime/reuse.h"
#include "runtime/undefined.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HD_HEAP_FRESH (1ull << 20)
#define FRESH_SLOTS 4
#define FILL_MOST 4096
#define MOST_ADDRESSES (1ull << 47) /* of a process */

static void map_arena(uint32_t thread)
{
    void *begin = (void *)hd_region(thread, 0);
    void *p = hd_mmap(begin, HD_HEAP_STRIDE - 4096, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != begin)
        hd_fatal("cannot reserve the heap of thread %u", thread);
    hd_undefined_map_heap(thread);
    rt->arena_mapped[thread] = 1;
}

static uint32_t class_for(uint64_t bytes)
{
    return bytes <= 128 ? 0 : (uint32_t)(57 - __builtin_clzll(bytes - 1));
}

/* The oldest freed slot of the class, once there have been enough fresh ones. */
static struct hd_block *reuse(struct hd_arena_heap *heap, uint32_t class)
{
    uint64_t fresh = heap->n_slots[class];
    if (!heap->oldest[class] || fresh < FRESH_SLOTS || fresh << class < HD_HEAP_FRESH >> 7)
        return NULL;
    struct hd_block *b = (struct hd_block *)heap->oldest[class];
    HD_SET(heap->oldest[class], b->link);
    if (!b->link)
        HD_SET(heap->newest[class], 0);
    return b;
}

static struct hd_block *fresh(struct hd_arena_heap *heap, uint32_t class)
{
    uint64_t offset = heap->n_slots[class] * hd_slot_bytes(class);
    if (HD_UNLIKELY(!rt->arena_mapped[rt->cur]))
        map_arena(rt->cur);
    if (offset + hd_slot_bytes(class) > HD_HEAP_REGION)
        return NULL;
    HD_SET(heap->n_slots[class], heap->n_slots[class] + 1);
    return (struct hd_block *)(hd_region(rt->cur, class) + offset);
}

/* Note the place: the verdict names it, and so does a violation that results from it. */
static void no_room(uint32_t site)
{
    __heddle_reached(HD_NOTE_ROOM, site);
    HD_SET(model->telling[rt->cur].no_room, site);
}

void *hd_heap_take(uint64_t size, uint64_t alignment, enum hd_family family)
{
    hd_rt_prepare();
    uint32_t site = hd_take_site();
    struct hd_arena_heap *heap = &model->heaps[rt->cur];
    uint64_t front = alignment > sizeof(struct hd_block) ? alignment : sizeof(struct hd_block);
    uint64_t bytes = front + HD_RED_ZONE + size;
    bool fits = size <= HD_HEAP_REGION && front <= HD_HEAP_REGION && bytes <= HD_HEAP_REGION;
    uint32_t class = fits ? class_for(bytes) : 0;
    struct hd_block *b = NULL;
    if (fits)
        b = hd_reuse_on(size) ? hd_reuse_take(size, front, site) : reuse(heap, class);
    bool reused = b != NULL;
    if (b) { /* going back to before the free restores its bytes */
        hd_reuse_renew((uint64_t)(uintptr_t)b + front, size, site);
        hd_log_known(b, front + size);
    } else if (fits)
        b = fresh(heap, class);
    if (!b) {
        if (size < MOST_ADDRESSES) /* it might have succeeded in a native run */
            no_room(site);
        errno = ENOMEM;
        return NULL;
    }
    HD_SET(heap->n_blocks, heap->n_blocks + 1);
    hd_log_word(&b->state);
    *b = (struct hd_block){ .at = (uint64_t)(uintptr_t)b + front,
                            .size = size,
                            .index = (uint32_t)heap->n_blocks,
                            .state = HD_BLOCK_LIVE,
                            .thread = rt->cur,
                            .site = site,
                            .family = (uint16_t)family,
                            .made = hd_stack_maker(site),
                            .reused = reused };
    memset((void *)b->at, 0xa5, size < FILL_MOST ? size : FILL_MOST);
    return (void *)b->at;
}

/* Only calls of the program itself fail: code of a library may hold a lock while it
 * allocates. */
bool hd_heap_fails(const void *caller)
{
    extern const char __executable_start[], _etext[];
    if (HD_LIKELY(!hd_ready || !hd_fault_wanted(HD_FAULT_MALLOC)))
        return false;
    if ((const char *)caller < __executable_start || (const char *)caller >= _etext)
        return false;
    uint32_t site = __heddle_call_site;
    if (!hd_fault(HD_FAULT_MALLOC, site)) {
        __heddle_call_site = site; /* other threads may have run */
        return false;
    }
    hd_take_site();
    errno = ENOMEM;
    return true;
}

/* The live block that begins at p, or a violation. */
static struct hd_block *block_of(void *p, enum hd_family family, const char *call, uint32_t site)
{
    struct hd_block *b = hd_block_at((uint64_t)(uintptr_t)p);
    if (!b || b->state == HD_BLOCK_NONE)
        hd_violation(HD_KIND_MEMORY, site, "%s of %p, which is not a heap block", call, p);
    if (b->at != (uint64_t)(uintptr_t)p)
        hd_violation_block(b, site, "%s of a pointer %lld bytes into a block of %llu bytes", call,
                           (long long)((uint64_t)(uintptr_t)p - b->at),
                           (unsigned long long)b->size);
    if (b->state == HD_BLOCK_FREED)
        hd_violation_block(b, site, "%s of a block that has been freed", call);
    static const char *const makers[] = { "malloc", "new", "new[]", "mmap" };
    if (b->family != family)
        hd_violation_block(b, site, "%s of a block made by %s", call, makers[b->family]);
    return b;
}

/* In a graph the wait may come after the free in the order of events, and what it reads is the
 * object's state.  That happens-before does not order the two is reported. */
static bool is_still_awaited(const struct hd_sync *s)
{
    return rt->weak && !hd_tset_empty(&s->pending, hd_tset_words(rt->config.n_threads));
}

/* Forget the synchronisation objects of the block: later ones at the same place are others. */
static void forget_objects(const struct hd_block *b)
{
    for (uint64_t at = b->at; at < b->at + b->size; at += 4) {
        struct hd_sync *s = hd_sync_find(at);
        if (s && !is_still_awaited(s)) {
            hd_part_not_shared(at);
            hd_log_word(&s->kind);
            s->kind = HD_SYNC_FREE;
        }
    }
}

/* Freeing conflicts with all that others do to the block: the exploration finds out whether
 * they can come too late.  (Not where the C library frees: no other thread may run inside
 * it.) */
static struct hd_block *free_step(void *p, enum hd_family family, const char *call, uint32_t site,
                                  const void *caller)
{
    struct hd_block *b = block_of(p, family, call, site);
    if (rt->solo_fast || hd_in_libc(caller))
        return b;
    hd_act_full(HD_OP_FREE, p, NULL, (uint32_t)b->size, site, 1);
    return block_of(p, family, call, site);
}

static void set_free(struct hd_block *b, uint32_t site)
{
    hd_log_known(b, sizeof *b);
    b->state = HD_BLOCK_FREED;
    b->freed_by = rt->cur;
    b->freed_at = site;
    b->link = 0;
    if (b->has_sync)
        forget_objects(b);
    /* hd_reuse_give() comes; and who asks for a mapping that has ended must find none */
    if (hd_reuse_on(b->size) || b->unmapped)
        return;
    struct hd_arena_heap *heap = &model->heaps[rt->cur];
    uint32_t class = (uint32_t)(((uint64_t)(uintptr_t)b - HD_HEAP_BASE) % HD_HEAP_STRIDE /
                                HD_HEAP_REGION);
    struct hd_block *last = (struct hd_block *)heap->newest[class];
    if (last)
        HD_SET(last->link, (uint64_t)(uintptr_t)b);
    else
        HD_SET(heap->oldest[class], (uint64_t)(uintptr_t)b);
    HD_SET(heap->newest[class], (uint64_t)(uintptr_t)b);
}

void hd_heap_free(void *p, enum hd_family family, const char *call, const void *caller)
{
    uint32_t site = hd_take_site();
    if (!p)
        return;
    struct hd_block *b = free_step(p, family, call, site, caller);
    hd_reuse_ends(b);
    set_free(b, site);
    if (hd_reuse_on(b->size) && !b->unmapped && site && !hd_in_libc(caller))
        hd_reuse_give(b, site);
}

static void *allocate(uint64_t size) { return hd_heap_take(size, 16, HD_FAMILY_MALLOC); }

/* Mark the bytes of a new block as undefined. */
static void *empty(void *block, const void *caller)
{
    hd_undefined_block(block, caller);
    return block;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return HD_HEAP_FAILS() ? NULL : empty(allocate(size), CALLER); }

void free(void *p) { hd_heap_free(p, HD_FAMILY_MALLOC, "free", CALLER); }

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = HD_HEAP_FAILS() ? NULL : allocate(bytes);
    if (p)
        hd_view_fill(rt->cur, p, 0, bytes);
    return p;
}

static void *reallocate(void *p, size_t size, const void *caller)
{
    if (!p)
        return empty(allocate(size), caller);
    uint32_t site = __heddle_call_site;
    block_of(p, HD_FAMILY_MALLOC, "realloc", site);
    void *q = empty(allocate(size), caller);
    if (!q)
        return NULL;
    struct hd_block *b = free_step(p, HD_FAMILY_MALLOC, "realloc", site, caller);
    hd_view_copy(rt->cur, q, p, b->size < size ? b->size : size);
    hd_undefined_inherit(q, b, b->size < size ? b->size : size);
    hd_reuse_ends(b);
    set_free(b, site);
    if (hd_reuse_on(b->size) && site && !hd_in_libc(caller))
        hd_reuse_give(b, site);
    return q;
}

void *realloc(void *p, size_t size)
{
    return HD_HEAP_FAILS() ? NULL : reallocate(p, size, CALLER);
}

void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return HD_HEAP_FAILS() ? NULL : reallocate(p, bytes, CALLER);
}

static void *take_aligned(size_t alignment, size_t size, const void *caller)
{
    if (alignment == 0 || (alignment & (alignment - 1))) {
        errno = EINVAL;
        return NULL;
    }
    return empty(hd_heap_take(size, alignment, HD_FAMILY_MALLOC), caller);
}

void *memalign(size_t alignment, size_t size)
{
    return HD_HEAP_FAILS() ? NULL : take_aligned(alignment, size, CALLER);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return HD_HEAP_FAILS() ? NULL : take_aligned(alignment, size, CALLER);
}

void *valloc(size_t size) { return HD_HEAP_FAILS() ? NULL : take_aligned(4096, size, CALLER); }

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *p = HD_HEAP_FAILS() ? NULL : take_aligned(alignment, size, CALLER);
    if (!p)
        return ENOMEM;
    hd_view_store_result(rt->cur, out, (const void *)&p, sizeof p);
    return 0;
}

/* The read of the text was announced before the call.  If the step that decides whether the
 * call fails comes in between, it is announced again. */
static char *duplicate(const char *text, size_t most)
{
    if (HD_UNLIKELY(hd_fault_wanted(HD_FAULT_MALLOC))) {
        uint32_t site = __heddle_call_site;
        __heddle_will_read_string(text, most, site);
        __heddle_call_site = site;
    }
    size_t n = strnlen(text, most);
    char *copy = allocate(n + 1);
    if (copy) {
        hd_view_copy(rt->cur, copy, text, n);
        hd_view_fill(rt->cur, copy + n, 0, 1);
    }
    return copy;
}

char *strdup(const char *text) { return HD_HEAP_FAILS() ? NULL : duplicate(text, SIZE_MAX); }

char *strndup(const char *text, size_t most)
{
    return HD_HEAP_FAILS() ? NULL : duplicate(text, most);
}

size_t malloc_usable_size(void *p)
{
    uint32_t site = hd_take_site();
    if (!p)
        return 0;
    const struct hd_block *b = block_of(p, HD_FAMILY_MALLOC, "malloc_usable_size", site);
    /* The second byte: an object of the program may lie at the first. */
    if (!rt->solo_fast)
        hd_act_full(HD_OP_BLOCK_SIZE, (char *)p + (b->size > 1), NULL, 0, site, 1);
    return block_of(p, HD_FAMILY_MALLOC, "malloc_usable_size", site)->size;
}

bool hd_heap_name(uint64_t addr, struct hd_name *name)
{
    const struct hd_block *b = hd_block_at(addr);
    if (!b || b->state == HD_BLOCK_NONE)
        return false;
    uint32_t bytes = b->size > UINT32_MAX ? UINT32_MAX : (uint32_t)b->size;
    uint32_t made = b->made ? b->made : b->site;
    *name = (struct hd_name){ HD_WHERE_HEAP, b->thread, b->index, addr - b->at, made, bytes };
    return true;
}
