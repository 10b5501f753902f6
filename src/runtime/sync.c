/* Synchronisation objects: found by their address, in a table of model memory.  An entry stays
 * until the undo log takes it back; destroying an object marks it.  If the program writes over
 * the object, the entry becomes that of a new one (object_stamp.h). */
#include "runtime/cancel.h"
#include "runtime/fd.h"
#include "runtime/heap.h"
#include "runtime/invariant.h"
#include "runtime/object_stamp.h"

#include "base/hash.h"
#include "core/enabled.h"

static inline uint64_t first_slot(uint64_t addr)
{
    return (addr >> 3) * 0x9e3779b97f4a7c15ull >> 48;
}

static struct hd_sync *slot_of(uint64_t addr)
{
    uint64_t i = first_slot(addr);
    for (uint32_t tried = 0; tried < HD_MAX_SYNC; tried++, i = (i + 1) % HD_MAX_SYNC)
        if (model->sync[i].addr == addr || model->sync[i].addr == 0)
            return &model->sync[i];
    hd_fatal("the program uses more than %u synchronisation objects", HD_MAX_SYNC);
}

static __attribute__((noinline)) struct hd_sync *find_further(uint64_t addr)
{
    struct hd_sync *s = slot_of(addr);
    if (s->addr != addr)
        return NULL;
    return rt->sync_found = s;
}

/* The last object is often asked for again.  An entry stays at its place as long as it has its
 * address. */
struct hd_sync *hd_sync_find(uint64_t addr)
{
    struct hd_sync *s = rt->sync_found;
    if (HD_LIKELY(s->addr == addr))
        return s;
    s = &model->sync[first_slot(addr)];
    if (HD_UNLIKELY(s->addr != addr))
        return find_further(addr);
    return rt->sync_found = s;
}

/* A read-write lock may have been abandoned while it was held: forget its readers. */
static void forget_readers(const struct hd_sync *s)
{
    void *reads = model->reads[s - model->sync];
    if (s->count == 0 || (s->kind != HD_SYNC_RWLOCK && s->kind != HD_SYNC_FREE))
        return;
    hd_log_range(reads, sizeof model->reads[0]);
    memset(reads, 0, sizeof model->reads[0]);
}

/* Its memory ends with a scope or with the thread, and that is a step of its own (zones.c,
 * thread.c). */
static __attribute__((noinline)) void note_on_stack(uint64_t addr)
{
    struct hd_thread *t = &model->threads[(addr - HD_STACK_BASE) / HD_STACK_STRIDE];
    if (!t->objects_end || addr < t->objects_begin)
        HD_SET(t->objects_begin, addr);
    if (addr >= t->objects_end)
        HD_SET(t->objects_end, addr + 8);
}

struct hd_sync *hd_sync_make(uint64_t addr, enum hd_sync_kind kind)
{
    struct hd_sync *s = slot_of(addr);
    forget_readers(s);
    struct hd_block *b = hd_block_at(addr);
    if (b && !b->has_sync)
        HD_SET(b->has_sync, 1);
    if (addr - HD_STACK_BASE < HD_MAX_THREADS * HD_STACK_STRIDE)
        note_on_stack(addr);
    hd_log_range(s, sizeof *s);
    *s = (struct hd_sync){ .addr = addr, .kind = (uint16_t)kind, .owner = HD_NOBODY };
    return s;
}

void hd_sync_is_destroyed(const struct hd_sync *s, const char *what, uint32_t site)
{
    char place[300] = "";
    const char *name = hd_site_variable(site);
    if (s && s->site)
        hd_site_text(s->site, place, sizeof place);
    hd_violation(HD_KIND_MISUSE, site, "use of a destroyed %s%s%s%s%s%s", what,
                 *name ? ", `" : "", name, *name ? "'" : "",
                 *place ? ", which was destroyed at " : "", place);
}

struct hd_sync *hd_sync_use(const void *at, enum hd_sync_kind kind, const char *what, bool fresh,
                            uint32_t site)
{
    hd_touch_object(at, site);
    hd_invariant_never("a function that synchronises", site);
    hd_check_object(at, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)at);
    if (HD_LIKELY(s && s->kind == kind && !s->destroyed && hd_object_stamp_same(s, kind)))
        return s;
    if (fresh)
        return hd_sync_make((uint64_t)(uintptr_t)at, kind);
    if (s && s->kind == kind && s->destroyed)
        hd_sync_is_destroyed(s, what, site);
    hd_violation(HD_KIND_MISUSE, site, "use of a %s before its initialisation", what);
}

static bool waited_for(const struct hd_sync *s)
{
    return !hd_tset_empty(&s->pending, hd_tset_words(rt->config.n_threads));
}

struct hd_sync *hd_sync_init(void *at, enum hd_sync_kind kind, const char *what, uint32_t site)
{
    hd_touch_object(at, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_INIT, at, NULL, 0, site);
    hd_check_object(at, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)at);
    if (s && s->kind == kind && !s->destroyed && (s->owner != HD_NOBODY || waited_for(s)) &&
        !hd_object_stamp_may_differ(s))
        hd_violation(HD_KIND_MISUSE, site, "initialisation of a %s that is in use", what);
    hd_object_stamp_put(at, kind);
    return hd_sync_make((uint64_t)(uintptr_t)at, kind);
}

/* Would the pending operation use its object, which has been destroyed?  Not that of a woken
 * thread that leaves. */
static bool uses(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_SYNC &&
           !hd_op_has((enum hd_op)a->op, HD_OPTRAIT_INITS | HD_OPTRAIT_LEAVES);
}

static __attribute__((noinline)) void stale_for_others(const struct hd_sync *s)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        for (uint64_t w = rt->config.live.w[i]; w; w &= w - 1) {
            uint32_t t = 64 * i + (uint32_t)__builtin_ctzll(w);
            struct hd_thread *thread = &model->threads[t];
            if (t == rt->cur || rt->next[t].object != s->addr || !uses(&rt->next[t]))
                continue;
            HD_SET(thread->flags, thread->flags | HD_THREAD_STALE);
            HD_SET(model->n_stale, model->n_stale + 1);
        }
}

void hd_sync_stale_now(const struct hd_action *a)
{
    const struct hd_sync *s = a->object ? hd_sync_find(a->object) : NULL;
    struct hd_thread *t = hd_thread_now();
    if (!s || !s->destroyed || !uses(a) || t->flags & HD_THREAD_STALE)
        return;
    HD_SET(t->flags, t->flags | HD_THREAD_STALE);
    HD_SET(model->n_stale, model->n_stale + 1);
}

void hd_sync_destroyed(struct hd_sync *s, uint32_t site)
{
    HD_SET(s->destroyed, 1);
    HD_SET(s->site, site);
    if (HD_LIKELY(rt->config.n_threads <= 64 && rt->config.live.w[0] == 1ull << rt->cur))
        return; /* there is no other thread */
    stale_for_others(s);
}

void hd_sync_not_stale(uint32_t site)
{
    static const char *const kinds[] = {
#define HD_SYNC_NAME(kind, name) [HD_SYNC_##kind] = name
        HD_SYNC_NAME(MUTEX, "mutex"),   HD_SYNC_NAME(COND, "condition variable"),
        HD_SYNC_NAME(RWLOCK, "rwlock"), HD_SYNC_NAME(SPIN, "spinlock"),
        HD_SYNC_NAME(SEM, "semaphore"), HD_SYNC_NAME(BARRIER, "barrier"),
#undef HD_SYNC_NAME
    };
    if (!(hd_thread_now()->flags & HD_THREAD_STALE))
        return;
    const struct hd_sync *s = hd_sync_find(hd_next_now()->object);
    const char *kind = s && s->kind < sizeof kinds / sizeof *kinds ? kinds[s->kind] : NULL;
    hd_sync_is_destroyed(s, kind ? kind : "object", site);
}

void hd_sync_destroy(struct hd_sync *s, const char *what, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_DESTROY, (void *)(uintptr_t)s->addr, NULL, 0, site);
    bool held = s->owner != HD_NOBODY || (s->kind == HD_SYNC_RWLOCK && s->count);
    if (held || waited_for(s))
        hd_violation(HD_KIND_MISUSE, site, "destruction of a %s that %s", what,
                     held ? "is held" : "threads wait for");
    hd_sync_destroyed(s, site);
}

uint64_t hd_sync_state(const struct hd_sync *s)
{
    uint64_t owner = s->owner == HD_NOBODY ? 0 : s->owner + 1ull;
    switch (s->kind) {
    case HD_SYNC_MUTEX:
    case HD_SYNC_SPIN:
        return owner;
    case HD_SYNC_RWLOCK:
        return owner | (uint64_t)s->waiting << 16 | (uint64_t)s->count << 32;
    case HD_SYNC_SEM:
        return s->count;
    case HD_SYNC_BARRIER:
        return (uint64_t)s->limit << HD_BARRIER_LIMIT_SHIFT | (s->limit - s->count);
    case HD_SYNC_COND:
    case HD_SYNC_FUTEX:
        return s->pending.w[0];
    case HD_SYNC_ONCE:
        return s->count ? HD_ONCE_RUN : owner;
    case HD_SYNC_CHANNEL:
        return hd_channel_state((const struct hd_channel *)s->addr);
    case HD_SYNC_BELL:
        return *(const uint64_t *)s->addr;
    case HD_SYNC_CANCEL:
        return *(const uint32_t *)s->addr & HD_CANCEL_ASKED;
    default:
        return 0;
    }
}

void hd_no_atomic(uint32_t site)
{
    if (hd_thread_now()->atomic_depth)
        hd_violation(HD_KIND_MISUSE, site, "an atomic section waits for others");
}

static void wait_at(struct hd_sync *s, enum hd_op op, uint32_t size, uint32_t site)
{
    bool now = hd_op_can_run(op, size, hd_sync_state(s));
    if (rt->solo_fast && now)
        return;
    if (!now)
        hd_no_atomic(site);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    hd_set_enabled(rt->cur, now);
    hd_act(op, (void *)(uintptr_t)s->addr, NULL, size, site);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_del(&s->pending, rt->cur);
}

void hd_sync_wait(struct hd_sync *s, enum hd_op op, uint32_t site) { wait_at(s, op, 0, site); }

void hd_sync_await(struct hd_sync *s, enum hd_op attempt, uint32_t site)
{
    wait_at(s, HD_OP_AWAIT_SYNC, attempt, site);
}

bool hd_sync_try(struct hd_sync *s, enum hd_op op, uint32_t site)
{
    bool timed = hd_op_timed(op);
    if (timed && hd_polls_too_long(site)) {
        hd_sync_await(s, op, site);
        hd_polls_waited();
    }
    if (!rt->solo_fast)
        hd_act(op, (void *)(uintptr_t)s->addr, NULL, 0, site);
    bool can = hd_op_can_run(op, 0, hd_sync_state(s)) && !hd_weak_fails();
    if (timed && can)
        hd_polls_got_on();
    if (!can)
        hd_orders_less(HD_LESS_TRY);
    return can;
}

static bool can_go(uint32_t thread, const struct hd_action *a, uint64_t state)
{
    enum hd_op op = (enum hd_op)a->op;
    bool cancelled = !rt->weak && hd_op_wait_cancelled((enum hd_op)(op + 1)) &&
                     hd_cancel_wanted(&model->threads[thread]);
    return hd_op_can_run(op, a->size, state) || cancelled;
}

bool hd_sync_can_go(const struct hd_sync *s, uint32_t thread, const struct hd_action *a)
{
    return can_go(thread, a, hd_sync_state(s));
}

void hd_sync_changed(const struct hd_sync *s)
{
    uint64_t state = hd_sync_state(s);
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        for (uint64_t w = s->pending.w[i]; w; w &= w - 1) {
            uint32_t t = i * 64 + (uint32_t)__builtin_ctzll(w);
            if (HD_UNLIKELY(model->threads[t].n_interrupted) && rt->next[t].object != s->addr)
                continue; /* in a handler */
            hd_set_enabled(t, can_go(t, &rt->next[t], state));
        }
}

void hd_sync_sleep(struct hd_sync *s, uint32_t site)
{
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    hd_set_enabled(rt->cur, false);
    hd_act_leaving(HD_OP_BLOCKED, s, NULL, site);
}

/* The thread's next action changes though the thread does not run. */
void hd_sync_wake(struct hd_sync *s, uint32_t thread, enum hd_op op)
{
    hd_log_word(&s->pending.w[thread >> 6]);
    hd_tset_del(&s->pending, thread);
    struct hd_action *a = hd_waits_at(thread, s->addr);
    hd_log_known(a, sizeof *a);
    a->op = (uint8_t)op;
    if (a == &rt->next[thread])
        hd_set_enabled(thread, true);
}

void hd_sync_disable(const struct hd_tset *set, uint32_t but)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        rt->config.enabled.w[i] &= ~set->w[i];
    hd_tset_add(&rt->config.enabled, but);
}

void hd_sync_enable(const struct hd_tset *set)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        rt->config.enabled.w[i] |= set->w[i];
}
