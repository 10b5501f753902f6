/* Loops that wait: they only read memory, or only try to take a lock (instrument/await.c finds
 * them).  A turn is one iteration.
 *
 *   begin ──▶ saw, saw, … ──▶ the loop ends, or: await ──▶ begin
 *
 * A turn that does not leave the loop would be repeated as long as everything that it read
 * stays the same.  So the thread waits at AWAIT, which is enabled while one of those places
 * holds another value.  Nothing is lost: the turns that are left out change nothing.  If no
 * thread can ever change the places, the thread waits for ever, which is a deadlock with the
 * line of the loop.
 *
 * After a turn that read nothing and failed to take one lock or semaphore, the thread waits at
 * AWAIT_SYNC until the attempt could succeed: until then it would fail in the same way.
 *
 * A turn that read nothing which another thread may write is repeated for ever. */
#include "runtime/memory.h"

#include "core/abi.h"

/* Under a weak memory model a turn is repeated if it would read other stores: the search knows
 * which it has read.  If it visits every graph, it makes another turn of a revisit only: the
 * thread never goes on from here, whatever memory holds. */
static bool weak(void) { return rt->weak && rt->mode == HD_EXPLORING && !rt->solo_fast; }

static struct hd_await *mine(void) { return &hd_thread_now()->await; }

void __heddle_await_begin(void)
{
    typedef uint64_t word __attribute__((may_alias));
    struct hd_await *a = mine();
    uint32_t events = weak() ? hd_explorer_weak_events(rt->ex, rt->cur) : 0;
    struct hd_await now = { .whole = a->again, .events = events };
    word *to = (word *)a;
    const word *from = (const word *)&now;
    for (uint32_t i = 0; i < sizeof now / sizeof *to; i++)
        if (to[i] != from[i]) /* most words are zero, and stay so */
            HD_SET(to[i], from[i]);
}

/* The turn is to be repeated, whatever it has read. */
static void is_useless(struct hd_await *a) { HD_SET(a->useless, 1); }

/* What the thread would read there now. */
static uint64_t held(uint32_t thread, uint64_t addr, uint32_t size)
{
    uint64_t bytes[2];
    hd_view_peek(thread, addr, size, bytes);
    return bytes[0];
}

/* The place was read just now: it holds what was read.  A place that only the thread itself can
 * read cannot be waited for. */
void __heddle_await_saw(const void *at, uint64_t size)
{
    struct hd_await *a = mine();
    uint64_t addr = (uint64_t)(uintptr_t)at, value = 0;
    if (at == rt->fibers[rt->cur].error_number)
        return; /* the thread's own variable, set by the attempt */
    if (size > 8) {
        is_useless(a);
        return;
    }
    hd_view_load(rt->cur, at, &value, size);
    for (uint32_t i = 0; i < a->n; i++)
        if (a->addr[i] == addr && a->size[i] == size) {
            if (a->value[i] != value)
                is_useless(a);
            return;
        }
    if (weak() && a->n == HD_MOST_AWAITED)
        return;
    if (a->n == HD_MOST_AWAITED || held(rt->cur, addr, (uint32_t)size) != value) {
        is_useless(a);
        return;
    }
    HD_SET(a->addr[a->n], addr);
    HD_SET(a->size[a->n], (uint32_t)size);
    HD_SET(a->value[a->n], value);
    HD_SET(a->n, a->n + 1);
}

void __heddle_await_wrote(const void *at, uint64_t size, uint32_t unchanged)
{
    if (unchanged)
        __heddle_await_saw(at, size);
    else
        is_useless(mine());
}

void __heddle_await_tried(const void *object, uint32_t op, uint32_t in_vain)
{
    struct hd_await *a = mine();
    uint64_t addr = (uint64_t)(uintptr_t)object;
    if (!in_vain || (a->object && (a->object != addr || a->attempt != op))) {
        is_useless(a);
        return;
    }
    HD_SET(a->object, addr);
    HD_SET(a->attempt, op);
}

void hd_await_goes_on(void) { is_useless(mine()); }

static bool changed(uint32_t thread)
{
    const struct hd_await *a = &model->threads[thread].await;
    for (uint32_t i = 0; i < a->n; i++)
        if (held(thread, a->addr[i], a->size[i]) != a->value[i])
            return true;
    return false;
}

void hd_await_refresh(void)
{
    for (uint32_t i = 0; i < hd_tset_words(rt->config.n_threads); i++)
        for (uint64_t w = model->awaiting.w[i]; w; w &= w - 1) {
            uint32_t t = i * 64 + (uint32_t)__builtin_ctzll(w);
            hd_set_enabled(t, changed(t));
        }
}

/* SCALE's filters have a rule of their own for such loops. */
static bool wanted(void)
{
    uint32_t others = HD_FILTER_LOCAL_CYCLE | HD_FILTER_LIKE_SCALE | HD_FILTER_SUPER_STEP;
    return !rt->in_invariant && !(rt->shared && (rt->shared->options.filters & others));
}

/* A loop that does nothing and never ends: others go on, and may end the process.  While there
 * is no other thread, or inside an atomic section, the process never ends. */
void __heddle_spin(uint32_t site)
{
    if (rt->mode == HD_PLAIN || rt->in_invariant)
        return;
    bool alone = rt->mode == HD_EXPLORING && !rt->rooted;
    if (alone || hd_thread_now()->atomic_depth)
        hd_violation(HD_KIND_NO_PROGRESS, site, "%s", HD_SPINS);
    hd_set_enabled(rt->cur, false);
    hd_act_full(HD_OP_SPIN, NULL, NULL, 0, site, 1);
    hd_fatal("internal error: a thread leaves an endless loop");
}

/* Under a weak memory model the plain accesses of a turn may race with what others do after the
 * loop: the thread goes round again, until turns.c says that it need not.  A turn without an
 * event ends in the same way until another thread writes what it reads, which is a race.
 * Plain accesses of mapped files are never events. */
static bool may_race(const struct hd_await *a, uint32_t kind)
{
    bool mapped = a->n > 0;
    for (uint32_t i = 0; i < a->n; i++)
        mapped = mapped && HD_IS_MAPPED(a->addr[i]);
    return rt->weak && !rt->solo_fast && kind & HD_AWAIT_PLAIN &&
           ((hd_turns_plain && !mapped) || !(kind & HD_AWAIT_NO_EVENT));
}

void __heddle_await(uint32_t kind, uint32_t differs, uint32_t site)
{
    struct hd_await *a = mine();
    bool first_differs = (kind & HD_AWAIT_CARRIED) && !a->whole;
    if (!a->again)
        HD_SET(a->again, 1);
    if (a->useless || differs || first_differs || (a->object && a->n) || may_race(a, kind))
        return;
    if (a->object == 0 && a->n == 0) {
        __heddle_spin(site);
        return;
    }
    if (!wanted() || (weak() && !hd_explorer_weak_settled(rt->ex, rt->cur, a->events)))
        return;
    struct hd_sync *s = a->object ? hd_sync_find(a->object) : NULL;
    if (a->object) {
        if (s && !(rt->solo_fast & HD_FAST_ATOMIC))
            hd_sync_await(s, (enum hd_op)a->attempt, site);
        return;
    }
    if (!changed(rt->cur))
        hd_no_atomic(site);
    if (rt->solo_fast & HD_FAST_ATOMIC)
        return;
    bool memory = !weak() || kind & HD_AWAIT_PLAIN;
    if (memory || !hd_explorer_weak_stands_still(rt->ex)) {
        hd_log_word(&model->awaiting.w[rt->cur >> 6]);
        hd_tset_add(&model->awaiting, rt->cur);
        hd_set_enabled(rt->cur, changed(rt->cur));
    } else {
        hd_set_enabled(rt->cur, false);
    }
    struct hd_action *next = hd_next_now();
    next->size2 = !weak() ? a->size[1] : memory ? HD_AWAITS_MEMORY : a->events;
    hd_act_full(HD_OP_AWAIT, (void *)(uintptr_t)a->addr[0], (void *)(uintptr_t)a->addr[1],
                a->size[0], site, 1);
    hd_next_now()->size2 = 0;
    hd_log_word(&model->awaiting.w[rt->cur >> 6]);
    hd_tset_del(&model->awaiting, rt->cur);
}
