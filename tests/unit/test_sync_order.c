/* Which operations order the accesses before and after them.  Every test is message passing: one
 * thread writes data and then says so, another is told and then reads the data.  That is a data
 * race unless the two operations between them synchronise. */
#include "base/rng.h"
#include "core/enabled.h"
#include "explore/order/sync_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define ARENA_BYTES (1ull << 32)
#define DATA 0x1000u
#define FLAG 0x2000u

static uint32_t n_races;

static void unordered(void *self, uint32_t early, uint32_t late)
{
    (void)self;
    assert_true(early < late);
    n_races++;
}

enum way { NOTED, EVENTS };

static void step(struct hd_sync_order *so, uint32_t thread, enum hd_op op, uint64_t at,
                 uint32_t fence, enum way way)
{
    struct hd_action a = { .object = at, .size = 4, .op = (uint8_t)op, .choices = 1 };
    if (way == NOTED)
        a.order = (uint8_t)(hd_fences_add(HD_FENCE_NONE, fence) << HD_ORDER_FENCE_SHIFT);
    hd_sync_order_ran(so, thread, &a, 0);
    if (way == NOTED || !fence)
        return;
    struct hd_action f = { .op = HD_OP_FENCE, .order = (uint8_t)fence, .choices = 1 };
    hd_sync_order_ran(so, thread, &f, 0);
}

static void start(struct hd_sync_order *so, struct hd_arena *arena, void **memory)
{
    *memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(*memory != MAP_FAILED);
    *arena = (struct hd_arena){ *memory, 0, ARENA_BYTES };
    assert_true(hd_sync_order_init(so, arena, unordered, NULL));
    n_races = 0;
}

/* C11 orders the two accesses exactly when there is a release fence before the relaxed store and
 * an acquire fence after the relaxed load. */
static uint32_t races_of(uint32_t before_store, uint32_t after_load, enum way way)
{
    void *memory;
    struct hd_arena arena;
    struct hd_sync_order so;
    start(&so, &arena, &memory);
    step(&so, 0, HD_OP_WRITE, DATA, before_store, way);
    step(&so, 0, HD_OP_ATOMIC_WRITE, FLAG, 0, way);
    step(&so, 1, HD_OP_ATOMIC_READ, FLAG, after_load, way);
    step(&so, 1, HD_OP_READ, DATA, 0, way);
    assert_false(so.full);
    munmap(memory, ARENA_BYTES);
    return n_races;
}

/* Fences as events of their own order the same accesses as fences that are noted at the step
 * before them. */
static void fences_order_alike(void **state)
{
    (void)state;
    for (uint32_t release = 0; release < 8; release++)
        for (uint32_t acquire = 0; acquire < 8; acquire++) {
            uint32_t want = !(release & HD_ORDER_RELEASE && acquire & HD_ORDER_ACQUIRE);
            assert_int_equal(races_of(release, acquire, NOTED), want);
            assert_int_equal(races_of(release, acquire, EVENTS), want);
        }
}

#define OBJECT 0x3000u
#define OTHER 0x4000u

/* What the first thread does after its write, and what the second does before its read, as POSIX
 * has them synchronise or not. */
static const struct pair {
    enum hd_op first[2], second[2]; /* NONE: nothing more */
    bool ordered;
} pairs[] = {
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_LOCK }, true },
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_TRYLOCK }, true },
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_TIMEDLOCK }, true },
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_TRYLOCK_FAIL }, false },
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_TIMEDLOCK_FAIL }, false },
    { { HD_OP_LOCK, HD_OP_UNLOCK }, { HD_OP_AWAIT_SYNC }, false },
    { { HD_OP_LOCK, HD_OP_UNLOCK_AGAIN }, { HD_OP_TRYLOCK_FAIL }, false },
    { { HD_OP_LOCK }, { HD_OP_TRYLOCK_FAIL }, false },
    { { HD_OP_LOCK, HD_OP_OWNER_DIED }, { HD_OP_LOCK }, true },
    { { HD_OP_LOCK, HD_OP_WAIT }, { HD_OP_LOCK }, true },
    { { HD_OP_LOCK, HD_OP_TIMEDWAIT }, { HD_OP_LOCK }, true },
    { { HD_OP_LOCK, HD_OP_WAIT_CANCELLED }, { HD_OP_LOCK }, true },
    { { HD_OP_SIGNAL }, { HD_OP_WAKE }, false },
    { { HD_OP_BROADCAST }, { HD_OP_WAKE }, false },
    { { HD_OP_SPIN_LOCK, HD_OP_SPIN_UNLOCK }, { HD_OP_SPIN_TRYLOCK }, true },
    { { HD_OP_SPIN_LOCK, HD_OP_SPIN_UNLOCK }, { HD_OP_SPIN_TRYLOCK_FAIL }, false },
    { { HD_OP_WRLOCK, HD_OP_RWUNLOCK }, { HD_OP_RDLOCK }, true },
    { { HD_OP_WRLOCK, HD_OP_RWUNLOCK }, { HD_OP_TRYRDLOCK }, true },
    { { HD_OP_WRLOCK, HD_OP_RWUNLOCK }, { HD_OP_TRYRDLOCK_FAIL }, false },
    { { HD_OP_WRLOCK, HD_OP_RWUNLOCK }, { HD_OP_WRLOCK }, true },
    { { HD_OP_RDLOCK, HD_OP_RWUNLOCK }, { HD_OP_WRLOCK }, true },
    { { HD_OP_RDLOCK, HD_OP_RWUNLOCK }, { HD_OP_TRYWRLOCK }, true },
    { { HD_OP_RDLOCK, HD_OP_RWUNLOCK }, { HD_OP_TRYWRLOCK_FAIL }, false },
    { { HD_OP_RDLOCK, HD_OP_RWUNLOCK }, { HD_OP_RDLOCK }, false },
    { { HD_OP_RDLOCK, HD_OP_RWUNLOCK }, { HD_OP_WRQUEUE }, false },
    { { HD_OP_SEM_POST }, { HD_OP_SEM_WAIT }, true },
    { { HD_OP_SEM_POST }, { HD_OP_SEM_TRYWAIT }, true },
    { { HD_OP_SEM_POST }, { HD_OP_SEM_TRYWAIT_FAIL }, false },
    { { HD_OP_SEM_POST }, { HD_OP_SEM_VALUE }, false },
    { { HD_OP_SEM_WAIT }, { HD_OP_SEM_WAIT }, false },
    { { HD_OP_ARRIVE }, { HD_OP_ARRIVE_LAST, HD_OP_LEAVE }, true },
    { { HD_OP_ARRIVE }, { HD_OP_ARRIVE }, false },
    { { HD_OP_ARRIVE_LAST }, { HD_OP_LEAVE }, true },
    { { HD_OP_ONCE, HD_OP_ONCE_DONE }, { HD_OP_ONCE_SEEN }, true },
    { { HD_OP_CREATE }, { HD_OP_START }, true },
    { { HD_OP_EXIT }, { HD_OP_JOIN }, true },
    { { HD_OP_DETACH }, { HD_OP_START }, false },
    { { HD_OP_FUTEX_WAKE }, { HD_OP_WAKE }, false },
    { { HD_OP_MUTEX_INIT }, { HD_OP_LOCK }, false },
    { { HD_OP_SLEEP }, { HD_OP_SLEEP }, false },
    { { HD_OP_CLOCK }, { HD_OP_CLOCK }, false },
    { { HD_OP_YIELD }, { HD_OP_YIELD }, false },
    { { HD_OP_IO_WRITE }, { HD_OP_IO_READ }, true },
    { { HD_OP_IO_LOOK }, { HD_OP_IO_LOOK }, false },
    { { HD_OP_IO_LOOK }, { HD_OP_IO_READ }, true },
};

/* A wait has the mutex as its second object; the first is a condition variable. */
static void synchronise(struct hd_sync_order *so, uint32_t thread, enum hd_op op)
{
    struct hd_action a = { .op = (uint8_t)op, .choices = 1 };
    bool waits = hd_op_gives_mutex(op);
    a.object = hd_op_table[op].space == HD_SPACE_THREAD ? 1 : waits ? OTHER : OBJECT;
    a.object2 = waits ? OBJECT : 0;
    if (op != HD_OP_NONE)
        hd_sync_order_ran(so, thread, &a, 0);
}

static void operations_order_as_posix_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        void *memory;
        struct hd_arena arena;
        struct hd_sync_order so;
        start(&so, &arena, &memory);
        step(&so, 0, HD_OP_WRITE, DATA, 0, NOTED);
        synchronise(&so, 0, pairs[i].first[0]);
        synchronise(&so, 0, pairs[i].first[1]);
        synchronise(&so, 2, pairs[i].second[0]);
        synchronise(&so, 2, pairs[i].second[1]);
        step(&so, 2, HD_OP_READ, DATA, 0, NOTED);
        assert_false(so.full);
        munmap(memory, ARENA_BYTES);
        if (n_races != !pairs[i].ordered)
            print_error("%s and %s\n", hd_op_table[pairs[i].first[0]].text,
                        hd_op_table[pairs[i].second[0]].text);
        assert_int_equal(n_races, !pairs[i].ordered);
    }
}

/* An attempt that fails orders nothing, whatever it is tried on. */
static void failures_order_nothing(void **state)
{
    (void)state;
    for (int op = HD_OP_TRYLOCK; op <= HD_OP_SEM_TIMEDWAIT_FAIL; op++)
        if (hd_op_failed((enum hd_op)op) && op != HD_OP_ONCE_SEEN)
            assert_int_equal(hd_op_table[op].orders, HD_ORDERS_NOTHING);
}

#define STORES 6u

/* Stores of one variable, each by a thread of its own that has written data before, stand
 * anywhere in the order of modification.  A load that acquires learns of the store that it
 * reads, if that releases, and of no other one. */
static void stores_in_any_order(void **state)
{
    (void)state;
    struct hd_rng rng = { 7 };
    for (uint32_t turn = 0; turn < 200; turn++) {
        void *memory;
        struct hd_arena arena;
        struct hd_sync_order so;
        uint32_t order[STORES + 1], released = hd_rng_below(&rng, 1u << STORES);
        start(&so, &arena, &memory);
        for (uint32_t t = 0; t < STORES; t++) {
            uint32_t newer = hd_rng_below(&rng, t + 1);
            struct hd_action a = { .object = FLAG, .size = 4, .op = HD_OP_ATOMIC_WRITE };
            a.order = released >> t & 1 ? HD_ORDER_RELEASE : 0;
            step(&so, t, HD_OP_WRITE, DATA + 8 * t, 0, NOTED);
            hd_sync_order_ran(&so, t, &a, newer);
            memmove(order + newer + 1, order + newer, (t - newer) * sizeof *order);
            order[newer] = t;
        }
        uint32_t newer = hd_rng_below(&rng, STORES);
        struct hd_action load = { .object = FLAG, .size = 4, .op = HD_OP_ATOMIC_READ };
        load.order = HD_ORDER_ACQUIRE;
        hd_sync_order_ran(&so, STORES, &load, newer);
        for (uint32_t t = 0; t < STORES; t++) {
            n_races = 0;
            step(&so, STORES, HD_OP_READ, DATA + 8 * t, 0, NOTED);
            assert_int_equal(n_races, !(order[newer] == t && released >> t & 1));
        }
        assert_false(so.full);
        munmap(memory, ARENA_BYTES);
    }
}

#define EVENTS_EACH 60u

/* Events of several threads, and which pairs of them were reported. */
struct random_run {
    struct hd_rng rng;
    uint32_t n;
    struct {
        uint32_t thread;
        struct hd_action action;
    } events[EVENTS_EACH];
    bool reported[EVENTS_EACH][EVENTS_EACH];
};

static void report(void *self, uint32_t early, uint32_t late)
{
    struct random_run *run = self;
    run->reported[early][late] = true;
}

/* A post, a wait, or an access of one or both halves of a word. */
static struct hd_action random_action(struct hd_rng *rng)
{
    static const enum hd_op ops[] = { HD_OP_SEM_POST, HD_OP_SEM_WAIT,    HD_OP_READ,
                                      HD_OP_READ,     HD_OP_ATOMIC_READ, HD_OP_ATOMIC_WRITE,
                                      HD_OP_WRITE,    HD_OP_SEM_WAIT };
    enum hd_op op = ops[hd_rng_below(rng, 8)];
    struct hd_action a = { .op = (uint8_t)op, .choices = 1 };
    if (hd_op_table[op].space == HD_SPACE_SYNC) {
        a.object = hd_rng_below(rng, 2) ? OBJECT : OTHER;
        return a;
    }
    uint32_t part = hd_rng_below(rng, 6);
    a.object = DATA + (part == 1 ? 4 : 0);
    a.size = part == 2 ? 8 : 4;
    return a;
}

static bool is_post_before_wait(const struct hd_action *a, const struct hd_action *b)
{
    return a->op == HD_OP_SEM_POST && b->op == HD_OP_SEM_WAIT && a->object == b->object;
}

static bool conflict(const struct hd_action *a, const struct hd_action *b)
{
    bool memory = hd_op_table[a->op].space == HD_SPACE_MEM &&
                  hd_op_table[b->op].space == HD_SPACE_MEM;
    bool writes = hd_op_table[a->op].access == HD_ACCESS_WRITE ||
                  hd_op_table[b->op].access == HD_ACCESS_WRITE;
    bool atomic = hd_op_atomic((enum hd_op)a->op) && hd_op_atomic((enum hd_op)b->op);
    return memory && writes && !atomic && a->object < b->object + b->size &&
           b->object < a->object + a->size;
}

/* Exactly the conflicting pairs are reported that the transitive closure of program order and
 * of post before wait does not order. */
static void compare_with_closure(const struct random_run *run)
{
    static bool before[EVENTS_EACH][EVENTS_EACH];
    memset(before, 0, sizeof before);
    for (uint32_t j = 0; j < run->n; j++)
        for (uint32_t i = j; i-- > 0;) {
            const struct hd_action *a = &run->events[i].action, *b = &run->events[j].action;
            bool same = run->events[i].thread == run->events[j].thread;
            before[i][j] = before[i][j] || same || is_post_before_wait(a, b);
            for (uint32_t k = 0; k < i && before[i][j]; k++)
                before[k][j] = before[k][j] || before[k][i];
        }
    for (uint32_t j = 0; j < run->n; j++)
        for (uint32_t i = 0; i < j; i++) {
            const struct hd_action *a = &run->events[i].action, *b = &run->events[j].action;
            assert_int_equal(run->reported[i][j], conflict(a, b) && !before[i][j]);
        }
}

/* The events up to `n`, of which the first ones may be there already. */
static void extend(struct random_run *run, struct hd_sync_order *so, uint32_t n, uint32_t threads)
{
    for (; run->n < n; run->n++) {
        run->events[run->n].thread = hd_rng_below(&run->rng, threads);
        run->events[run->n].action = random_action(&run->rng);
    }
    for (uint32_t i = so->depth; i < n; i++)
        hd_sync_order_ran(so, run->events[i].thread, &run->events[i].action, 0);
    assert_false(so->full);
}

static void cut(struct random_run *run, struct hd_sync_order *so, uint32_t depth)
{
    hd_sync_order_back(so, depth);
    assert_int_equal(so->depth, so->unlogged ? 0 : depth);
    run->n = depth;
    for (uint32_t i = 0; i < EVENTS_EACH; i++)
        memset(&run->reported[i][so->depth], 0, EVENTS_EACH - so->depth);
}

static void pairs_are_those_of_the_closure(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 2000; seed++) {
        void *memory;
        struct hd_arena arena;
        struct hd_sync_order so;
        static struct random_run run;
        start(&so, &arena, &memory);
        memset(&run, 0, sizeof run);
        run.rng.state = seed;
        so.unordered = report;
        so.self = &run;
        so.unlogged = seed % 2;
        for (uint32_t i = 0; i < 4; i++) {
            extend(&run, &so, EVENTS_EACH, 2 + seed % 4);
            compare_with_closure(&run);
            cut(&run, &so, i == 2 ? 0 : hd_rng_below(&run.rng, EVENTS_EACH));
        }
        munmap(memory, ARENA_BYTES);
    }
}

/* A thread stores into a mapped file, may make a call that touches no file, and loads from
 * another page.  Before the load another thread makes the call.  How many of the accesses are
 * not ordered with it?  The same is asked again after the first steps have been kept. */
static uint32_t pairs_with_call(uint32_t size, uint64_t range, bool ordered, uint32_t kept)
{
    void *memory;
    struct hd_arena arena;
    struct hd_sync_order so;
    const struct {
        uint32_t thread;
        struct hd_action action;
    } steps[] = {
        { 0, { .op = HD_OP_WRITE, .object = HD_MAPPED_BASE + 64, .size = 4 } },
        { ordered ? 0 : 2, { .op = HD_OP_OUTSIDE, .object = FLAG } },
        { 1, { .op = HD_OP_OUTSIDE, .object = FLAG, .object2 = range, .size = size } },
        { 0, { .op = HD_OP_READ, .object = HD_MAPPED_BASE + 4096, .size = 4 } },
    };
    const uint32_t n = sizeof steps / sizeof *steps;
    start(&so, &arena, &memory);
    so.maps_files = true;
    for (uint32_t i = 0; i < n; i++)
        hd_sync_order_ran(&so, steps[i].thread, &steps[i].action, 0);
    uint32_t first = n_races;
    hd_sync_order_back(&so, kept);
    n_races = 0;
    for (uint32_t i = kept; i < n; i++)
        hd_sync_order_ran(&so, steps[i].thread, &steps[i].action, 0);
    assert_int_equal(n_races, first);
    munmap(memory, ARENA_BYTES);
    return n_races;
}

static void calls_touch_mapped_files(void **state)
{
    (void)state;
    for (uint32_t kept = 0; kept < 3; kept++) {
        assert_int_equal(pairs_with_call(HD_OUTSIDE_FILES, 0, false, kept), 2);
        assert_int_equal(pairs_with_call(HD_OUTSIDE_FILES, 0, true, kept), 1);
        assert_int_equal(pairs_with_call(0, 0, false, kept), 0);
        assert_int_equal(pairs_with_call(4096, HD_MAPPED_BASE, false, kept), 1);
        assert_int_equal(pairs_with_call(4096, HD_MAPPED_BASE, true, kept), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fences_order_alike),
                                        cmocka_unit_test(operations_order_as_posix_says),
                                        cmocka_unit_test(failures_order_nothing),
                                        cmocka_unit_test(stores_in_any_order),
                                        cmocka_unit_test(calls_touch_mapped_files),
                                        cmocka_unit_test(pairs_are_those_of_the_closure) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
