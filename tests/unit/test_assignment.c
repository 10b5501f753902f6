/* The search for memory orders, on oracles whose answers are known: an assignment is verified if
 * it reaches one of some thresholds.  All assignments are enumerated for comparison. */
#include "base/rng.h"
#include "strategy/assignment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 5

struct fake {
    uint32_t n, n_least;
    uint8_t least[3][MOST]; /* what is at least one of these is verified */
    uint32_t asked, most;   /* after so many explorations the time is up; 0: never */
};

static bool reaches(const struct fake *f, const uint8_t *orders)
{
    for (uint32_t k = 0; k < f->n_least; k++) {
        uint32_t i = 0;
        while (i < f->n && (f->least[k][i] & ~orders[i]) == 0)
            i++;
        if (i == f->n)
            return true;
    }
    return false;
}

/* The failing execution has events of a smallest set of variables: with seq_cst at all others it
 * is there, too. */
static enum hd_answered ask(void *context, const uint8_t *orders, bool *occurs)
{
    struct fake *f = context;
    uint8_t raised[MOST];
    if (f->most && f->asked == f->most)
        return HD_ANSWER_STOP;
    f->asked++;
    if (reaches(f, orders))
        return HD_ANSWER_VERIFIED;
    memcpy(raised, orders, f->n);
    for (uint32_t i = 0; i < f->n; i++) {
        raised[i] = HD_ORDER_TOP;
        occurs[i] = reaches(f, raised);
        if (occurs[i])
            raised[i] = orders[i];
    }
    return HD_ANSWER_BROKEN;
}

static const uint8_t all[] = { 0, 1, 2, 3, 7 };

static uint8_t some_order(struct hd_rng *rng, enum hd_ordered kind)
{
    uint8_t order;
    do
        order = all[hd_rng_below(rng, 5)];
    while (!hd_ordered_has(kind, order));
    return order;
}

static void make(struct fake *f, struct hd_variable *v, struct hd_rng *rng)
{
    static const enum hd_ordered kinds[] = { HD_ORDERED_FENCE, HD_ORDERED_STORE, HD_ORDERED_RMW,
                                             HD_ORDERED_LOAD };
    *f = (struct fake){ .n = 1 + hd_rng_below(rng, MOST), .n_least = hd_rng_below(rng, 4) };
    for (uint32_t i = 0; i < f->n; i++) {
        v[i] = (struct hd_variable){ .kind = kinds[hd_rng_below(rng, 4)] };
        v[i].own = some_order(rng, v[i].kind);
        v[i].fixed = hd_rng_below(rng, 8) == 0;
        for (uint32_t k = 0; k < f->n_least; k++)
            f->least[k][i] = some_order(rng, v[i].kind);
    }
}

/* How many variables must differ from their own orders; MOST + 1: no assignment is verified. */
static uint32_t fewest(const struct fake *f, const struct hd_variable *v)
{
    uint32_t best = MOST + 1, combinations = 1;
    for (uint32_t i = 0; i < f->n; i++)
        combinations *= 5;
    for (uint32_t c = 0; c < combinations; c++) {
        uint8_t orders[MOST];
        uint32_t rest = c, changed = 0;
        bool possible = true;
        for (uint32_t i = 0; i < f->n; i++, rest /= 5) {
            orders[i] = all[rest % 5];
            possible &= hd_ordered_has(v[i].kind, orders[i]) && (v[i].own & ~orders[i]) == 0 &&
                        !(v[i].fixed && orders[i] != v[i].own);
            changed += orders[i] != v[i].own;
        }
        if (possible && reaches(f, orders) && changed < best)
            best = changed;
    }
    return best;
}

/* Nothing that is not needed: every weaker order of one variable is broken. */
static void check_least(const struct fake *f, const struct hd_variable *v,
                        const struct hd_assignment *a, bool repaired)
{
    for (uint32_t i = 0; i < f->n; i++)
        for (size_t k = 0; k < sizeof all; k++) {
            uint8_t orders[MOST];
            memcpy(orders, a->found, f->n);
            orders[i] = all[k];
            bool weaker = all[k] != a->found[i] && (all[k] & ~a->found[i]) == 0;
            if (v[i].fixed || !weaker || !hd_ordered_has(v[i].kind, all[k]) ||
                (repaired && (v[i].own & ~all[k]) != 0))
                continue;
            assert_false(reaches(f, orders));
        }
}

static void check_one(struct fake *f, const struct hd_variable *v)
{
    struct hd_assignment a;
    uint8_t own[MOST];
    for (uint32_t i = 0; i < f->n; i++)
        own[i] = v[i].own;
    hd_assignment_init(&a, v, f->n, ask, f);
    enum hd_assigned outcome = hd_assignment_find(&a);
    uint32_t best = fewest(f, v), changed = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        changed += a.found[i] != own[i];
        assert_true(hd_ordered_has(v[i].kind, a.found[i]));
        assert_true(!v[i].fixed || a.found[i] == own[i]);
    }
    if (best == MOST + 1) {
        assert_int_equal(outcome, HD_ASSIGNED_NEVER);
    } else if (reaches(f, own)) {
        assert_int_equal(outcome, HD_ASSIGNED_RELAXED);
        assert_true(reaches(f, a.found) && a.complete);
        check_least(f, v, &a, false);
    } else {
        assert_int_equal(outcome, HD_ASSIGNED_REPAIRED);
        assert_true(reaches(f, a.found) && a.complete);
        assert_int_equal(changed, best);
        check_least(f, v, &a, true);
    }
    assert_int_equal(a.n_asked, f->asked);
    hd_assignment_release(&a);
}

static void random_oracles(void **state)
{
    (void)state;
    struct hd_rng rng = { 17 };
    for (int i = 0; i < 4000; i++) {
        struct fake f;
        struct hd_variable v[MOST];
        make(&f, v, &rng);
        check_one(&f, v);
    }
}

/* With too little time, what is found is verified nevertheless, and is not called complete; with
 * what it has learnt, a second search ends where one with enough time does. */
static void too_little_time(void **state)
{
    (void)state;
    struct hd_rng rng = { 3 };
    for (int i = 0; i < 1000; i++) {
        struct fake f;
        struct hd_variable v[MOST];
        struct hd_assignment first, second;
        make(&f, v, &rng);
        f.most = 1 + hd_rng_below(&rng, 6);
        hd_assignment_init(&first, v, f.n, ask, &f);
        enum hd_assigned outcome = hd_assignment_find(&first);
        if (outcome == HD_ASSIGNED_RELAXED || outcome == HD_ASSIGNED_REPAIRED)
            assert_true(reaches(&f, first.found));
        assert_true(!first.stopped || !first.complete);
        f.most = 0;
        uint32_t before = f.asked;
        hd_assignment_init(&second, v, f.n, ask, &f);
        for (size_t k = 0; k < first.n_known; k++)
            hd_assignment_learn(&second, first.known[k].orders, first.known[k].occurs);
        outcome = hd_assignment_find(&second);
        assert_true(outcome == HD_ASSIGNED_NEVER || reaches(&f, second.found));
        assert_true(outcome == HD_ASSIGNED_NEVER || second.complete);
        assert_int_equal(second.n_asked, f.asked - before);
        hd_assignment_release(&first);
        hd_assignment_release(&second);
    }
}

/* C11 does not allow a failure that is stronger than the success. */
static void failure_and_success(void **state)
{
    (void)state;
    const struct hd_variable v[] = {
        { .kind = HD_ORDERED_FAILURE, .success = 1, .own = HD_ORDER_TOP },
        { .kind = HD_ORDERED_RMW, .own = HD_ORDER_TOP },
    };
    struct fake f = { .n = 2, .n_least = 1, .least = { { HD_ORDER_ACQUIRE, HD_ORDER_RELEASE } } };
    struct hd_assignment a;
    hd_assignment_init(&a, v, 2, ask, &f);
    assert_int_equal(hd_assignment_find(&a), HD_ASSIGNED_RELAXED);
    assert_int_equal(a.found[0], HD_ORDER_ACQUIRE);
    assert_int_equal(a.found[1], HD_ORDER_ACQ_REL);
    hd_assignment_release(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(random_oracles),
                                        cmocka_unit_test(too_little_time),
                                        cmocka_unit_test(failure_and_success) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
