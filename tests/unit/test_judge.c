/* Small runs by hand, held against the axioms of RC11: which are consistent follows from the
 * definition (docs/design/019-graph.md).  A step's choice is the number of stores that are newer
 * than the one that it reads or makes. */
#include "core/enabled.h"
#include "core/memory_order.h"
#include "supervise/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define X 0x1000u
#define Y 0x2000u
#define LOCK 0x3000u
#define ACQ HD_ORDER_ACQUIRE
#define REL HD_ORDER_RELEASE
#define SC (HD_ORDER_ACQUIRE | HD_ORDER_RELEASE | HD_ORDER_SEQ_CST)

static struct hd_step log_of[8];
static struct hd_run run;

static void begin(void) { run = (struct hd_run){ .memory = HD_MEMORY_RC11, .log = log_of }; }

static void step(uint32_t thread, enum hd_op op, uint64_t object, uint32_t choice, uint32_t order)
{
    bool memory = hd_op_table[op].space == HD_SPACE_MEM;
    log_of[run.n_log++] = (struct hd_step){ .thread = thread,
                                            .op = (uint16_t)op,
                                            .choice = (uint16_t)choice,
                                            .size = memory ? 4 : 0,
                                            .action = { .object = object,
                                                        .size = memory ? 4 : 0,
                                                        .op = (uint8_t)op,
                                                        .order = (uint8_t)order,
                                                        .choices = 1 } };
}

/* With seq_cst fences before two of the steps; ~0u: none. */
static bool consistent_with(uint32_t fence1, uint32_t fence2)
{
    struct hd_judge *j = hd_judge_create(&run);
    assert_non_null(j);
    if (fence1 != ~0u)
        hd_judge_fence(j, fence1);
    if (fence2 != ~0u)
        hd_judge_fence(j, fence2);
    hd_judge_order(j);
    bool is = hd_judge_consistent(j);
    hd_judge_destroy(j);
    return is;
}

static bool consistent(void) { return consistent_with(~0u, ~0u); }

/* The reader sees the flag, and then the older data. */
static void pass_message(uint32_t store, uint32_t load)
{
    begin();
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(1, HD_OP_ATOMIC_WRITE, Y, 0, store);
    step(2, HD_OP_ATOMIC_READ, Y, 0, load);
    step(2, HD_OP_ATOMIC_READ, X, 1, 0);
}

static void happens_before(void **unused)
{
    (void)unused;
    pass_message(REL, ACQ);
    assert_false(consistent());
    pass_message(REL, 0);
    assert_true(consistent());
    pass_message(0, ACQ);
    assert_true(consistent());
    struct hd_judge *j = hd_judge_create(&run);
    hd_judge_strengthen(j, 1, REL);
    hd_judge_order(j);
    assert_true(hd_judge_before(j, 0, 3));
    assert_int_equal(hd_judge_forbids(j, 3), 1); /* the first step */
    assert_false(hd_judge_consistent(j));
    hd_judge_reset(j);
    hd_judge_order(j);
    assert_true(hd_judge_consistent(j));
    hd_judge_destroy(j);
}

static void coherence(void **unused)
{
    (void)unused;
    begin(); /* two loads of a thread go back */
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(2, HD_OP_ATOMIC_READ, X, 0, 0);
    step(2, HD_OP_ATOMIC_READ, X, 1, 0);
    assert_false(consistent());
    begin(); /* and the other way round */
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(2, HD_OP_ATOMIC_READ, X, 1, 0);
    step(2, HD_OP_ATOMIC_READ, X, 0, 0);
    assert_true(consistent());
    begin(); /* a thread does not see its own store */
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(1, HD_OP_ATOMIC_READ, X, 1, 0);
    assert_false(consistent());
    begin(); /* a store stands before one that its thread has read */
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(2, HD_OP_ATOMIC_READ, X, 0, 0);
    step(2, HD_OP_ATOMIC_WRITE, X, 1, 0);
    assert_false(consistent());
    begin(); /* it has not read it */
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(2, HD_OP_ATOMIC_WRITE, X, 1, 0);
    assert_true(consistent());
}

static void atomicity(void **unused)
{
    (void)unused;
    begin(); /* both read the initial value */
    step(1, HD_OP_RMW, X, 0, 0);
    step(2, HD_OP_RMW, X, 1, 0);
    assert_false(consistent());
    begin(); /* one after the other */
    step(1, HD_OP_RMW, X, 0, 0);
    step(2, HD_OP_RMW, X, 0, 0);
    assert_true(consistent());
    begin(); /* a store between the two parts */
    step(1, HD_OP_RMW, X, 0, 0);
    step(2, HD_OP_ATOMIC_WRITE, X, 1, 0);
    assert_false(consistent());
    begin(); /* one that fails has no store */
    step(1, HD_OP_RMW, X, 0, 0);
    step(2, HD_OP_CAS_FAIL, X, 1, 0);
    assert_true(consistent());
}

/* Each thread stores, and reads the initial value of what the other one stores. */
static void buffer_stores(uint32_t order)
{
    begin();
    step(1, HD_OP_ATOMIC_WRITE, X, 0, order);
    step(1, HD_OP_ATOMIC_READ, Y, 0, order);
    step(2, HD_OP_ATOMIC_WRITE, Y, 0, order);
    step(2, HD_OP_ATOMIC_READ, X, 1, order);
}

static void seq_cst_cycle(void **unused)
{
    (void)unused;
    buffer_stores(SC);
    assert_false(consistent());
    buffer_stores(ACQ | REL);
    assert_true(consistent());
    assert_false(consistent_with(1, 3)); /* a fence between the accesses of each thread */
    assert_true(consistent_with(1, ~0u));
    assert_true(consistent_with(0, 2)); /* before them */
    buffer_stores(SC);
    log_of[3].action.order = ACQ; /* one access is not seq_cst */
    assert_true(consistent());
}

/* A thread stores and does `first`; another one does `second` and reads the older value. */
static bool ordered_by(enum hd_op first, enum hd_op second, uint64_t object)
{
    begin();
    step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
    step(1, first, object, 0, 0);
    step(2, second, object, 0, 0);
    step(2, HD_OP_ATOMIC_READ, X, 1, 0);
    return !consistent();
}

static void objects(void **unused)
{
    (void)unused;
    assert_true(ordered_by(HD_OP_UNLOCK, HD_OP_LOCK, LOCK));
    assert_true(ordered_by(HD_OP_UNLOCK, HD_OP_TRYLOCK, LOCK));
    assert_false(ordered_by(HD_OP_UNLOCK, HD_OP_TRYLOCK_FAIL, LOCK));
    assert_true(ordered_by(HD_OP_SEM_POST, HD_OP_SEM_WAIT, LOCK));
    assert_false(ordered_by(HD_OP_SEM_POST, HD_OP_SEM_TRYWAIT_FAIL, LOCK));
    assert_true(ordered_by(HD_OP_EXIT, HD_OP_JOIN, 1));
    assert_true(ordered_by(HD_OP_EXIT, HD_OP_JOIN_NOW, 1));
    assert_false(ordered_by(HD_OP_EXIT, HD_OP_JOIN_NOW_FAIL, 1));
    assert_false(ordered_by(HD_OP_FUTEX_WAKE_ONE, HD_OP_FUTEX_WOKEN, LOCK));
}

/* A wait must not sleep behind a wake that knows of a newer store than its load has read. */
static void futexes(void **unused)
{
    static const enum hd_op wakes[] = { HD_OP_FUTEX_WAKE_ONE, HD_OP_FUTEX_WAKE_EVERY,
                                        HD_OP_FUTEX_WAKE_SOME };
    (void)unused;
    for (uint32_t i = 0; i < sizeof wakes / sizeof *wakes; i++) {
        begin();
        step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
        step(1, wakes[i], X, 0, 0);
        step(2, HD_OP_FUTEX_READ, X, 1, 0);
        step(2, HD_OP_FUTEX_SLEEP, X, 0, 0);
        assert_false(consistent());
        begin(); /* it sleeps before the wake */
        step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
        step(2, HD_OP_FUTEX_READ, X, 1, 0);
        step(2, HD_OP_FUTEX_SLEEP, X, 0, 0);
        step(1, wakes[i], X, 0, 0);
        assert_true(consistent());
        begin(); /* the wake does not know of the store */
        step(1, HD_OP_ATOMIC_WRITE, X, 0, 0);
        step(3, wakes[i], X, 0, 0);
        step(2, HD_OP_FUTEX_READ, X, 1, 0);
        step(2, HD_OP_FUTEX_TIMEDSLEEP, X, 0, 0);
        assert_true(consistent());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(happens_before), cmocka_unit_test(coherence),
        cmocka_unit_test(atomicity),      cmocka_unit_test(seq_cst_cycle),
        cmocka_unit_test(objects),        cmocka_unit_test(futexes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
