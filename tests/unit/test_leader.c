/* Leaders of a distributed search (supervise/leader.h): messages are delivered in any order
 * and arbitrarily late.  Every unit is explored once, and rank 0 finds the end when nothing is
 * left, never before. */
#include "supervise/leader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LEADERS 5
#define MEMBERS 3
#define MOST 4000

struct message {
    enum { ANSWER_OF_MEMBER, QUESTION, GIFT, ROUND, REPORT } kind;
    uint32_t to, from;
    uint64_t round;
    uintptr_t units[MOST / 8];
    uint64_t n, given, taken;
    bool quiet;
};

static struct world {
    struct hd_leader leaders[LEADERS];
    uintptr_t exploring[LEADERS][MEMBERS]; /* 0: nothing */
    struct message *mail[MOST];
    uint32_t n_mail, n_leaders;
    uint64_t n_units, n_explored; /* units are numbers from 1 */
    uint8_t explored[MOST];
    struct hd_survey survey;
    struct hd_rng rng;
    double now;
} w;

static struct message *post(uint32_t kind, uint32_t to, uint32_t from)
{
    struct message *m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_true(w.n_mail < MOST);
    m->kind = kind;
    m->to = to;
    m->from = from;
    w.mail[w.n_mail++] = m;
    return m;
}

static uint32_t number(const void *context)
{
    return (uint32_t)((const struct hd_leader *)context - w.leaders);
}

static int explore(void *context, uint32_t member, void *unit, double seconds, struct hd_err *err)
{
    (void)err;
    assert_true(seconds > 0);
    assert_int_equal(w.exploring[number(context)][member], 0);
    w.exploring[number(context)][member] = (uintptr_t)unit;
    post(ANSWER_OF_MEMBER, number(context), member);
    return 0;
}

static int ask(void *context, uint32_t leader, struct hd_err *err)
{
    (void)err;
    assert_true(leader < w.n_leaders && leader != number(context));
    post(QUESTION, leader, number(context));
    return 0;
}

static int give(void *context, uint32_t leader, void **units, uint64_t n, struct hd_err *err)
{
    struct message *m = post(GIFT, leader, number(context));
    (void)err;
    assert_true(n <= sizeof m->units / sizeof *m->units);
    for (uint64_t i = 0; i < n; i++)
        m->units[i] = (uintptr_t)units[i];
    m->n = n;
    return 0;
}

static const struct hd_leader_ops ops = { explore, ask, give };

static void new_unit(struct hd_leader *l)
{
    if (w.n_units + 1 < MOST / 8)
        hd_leader_add(l, (void *)(uintptr_t)++w.n_units, hd_rng_below(&w.rng, 4000));
}

static void member_answers(struct hd_leader *l, uint32_t member)
{
    uintptr_t unit = w.exploring[number(l)][member];
    w.exploring[number(l)][member] = 0;
    if (unit) {
        assert_int_equal(w.explored[unit]++, 0);
        w.n_explored++;
        for (uint32_t left = hd_rng_below(&w.rng, 3); left > 0; left--)
            new_unit(l);
    }
    hd_leader_idle(l, member, unit != 0);
}

static void report(struct hd_leader *l, uint64_t round)
{
    struct message *m = post(REPORT, 0, number(l));
    m->round = round;
    m->quiet = hd_leader_quiet(l);
    m->given = l->given;
    m->taken = l->taken;
}

static void deliver(struct message *m)
{
    struct hd_leader *l = &w.leaders[m->to];
    struct hd_err err;
    switch (m->kind) {
    case ANSWER_OF_MEMBER:
        member_answers(l, m->from);
        break;
    case QUESTION:
        hd_leader_asked(l, m->from, w.now, &err);
        break;
    case GIFT:
        for (uint64_t i = 0; i < m->n; i++)
            hd_leader_add(l, (void *)m->units[i], i);
        hd_leader_answered(l, m->n, w.now);
        break;
    case ROUND:
        report(l, m->round);
        break;
    case REPORT:
        hd_survey_answer(&w.survey, m->round, m->quiet, m->given, m->taken);
        break;
    }
    assert_int_equal(hd_leader_act(l, w.now, &err), 0);
}

static bool over(void)
{
    if (w.survey.round && w.survey.n_answers == w.survey.n_leaders && hd_survey_over(&w.survey))
        return true;
    if (hd_survey_begin(&w.survey))
        for (uint32_t i = 0; i < w.n_leaders; i++)
            post(ROUND, i, 0)->round = w.survey.round;
    return false;
}

static void search(uint64_t seed)
{
    memset(&w, 0, sizeof w);
    w.rng.state = seed;
    w.n_leaders = 1 + (uint32_t)(seed % LEADERS);
    w.survey.n_leaders = w.n_leaders;
    for (uint32_t i = 0; i < w.n_leaders; i++) {
        hd_leader_init(&w.leaders[i], i, w.n_leaders, MEMBERS);
        w.leaders[i].ops = &ops;
        w.leaders[i].context = &w.leaders[i];
        for (uint32_t k = 0; k < MEMBERS; k++)
            post(ANSWER_OF_MEMBER, i, k);
    }
    for (uint32_t i = hd_rng_below(&w.rng, 9); i > 0; i--)
        new_unit(&w.leaders[0]);
    while (!over()) {
        uint32_t i = hd_rng_below(&w.rng, w.n_mail);
        struct message *m = w.mail[i];
        w.mail[i] = w.mail[--w.n_mail];
        w.now += 0.001 * hd_rng_below(&w.rng, 10);
        deliver(m);
        free(m);
    }
    assert_int_equal(w.n_explored, w.n_units);
    for (uint32_t i = 0; i < w.n_leaders; i++) {
        assert_int_equal(w.leaders[i].waiting.n, 0);
        hd_leader_release(&w.leaders[i]);
    }
    for (uint32_t i = 0; i < w.n_mail; i++)
        free(w.mail[i]);
}

static void test_every_unit_once_and_the_end(void **state)
{
    uint64_t units = 0, given = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        search(seed);
        units += w.n_units;
        for (uint32_t i = 0; i < w.n_leaders; i++)
            given += w.leaders[i].given;
    }
    assert_true(units > 100000); /* the test has something to look at */
    assert_true(given > 10000);
}

static void test_groups(void **state)
{
    (void)state;
    for (uint32_t n = 2; n < 400; n++)
        for (uint32_t size = 2; size < 70; size += 3) {
            uint32_t groups = hd_groups(n, size);
            assert_true(groups >= 1);
            assert_int_equal(hd_group_leader(n, groups, 0), 0);
            assert_int_equal(hd_group_leader(n, groups, groups), n);
            for (uint32_t i = 0; i < groups; i++) {
                uint32_t ranks = hd_group_leader(n, groups, i + 1) -
                                 hd_group_leader(n, groups, i);
                assert_in_range(ranks, 2, size > 2 ? size : 3);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_unit_once_and_the_end),
        cmocka_unit_test(test_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
