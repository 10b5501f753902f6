/* Several explorers on one tree find and count together what one finds and counts alone,
 * whatever their timing. */
#include "fake_world.h"

#include "explore/jobs/split.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#define MOST 3
#define TREE_BYTES (1ull << 30)

struct member {
    struct fake_rig rig;
    pthread_t thread;
};

struct sums {
    uint64_t executions, blocked, pruned, bounded, finals_hash, findings, finished;
};

/* Slow memory, so that no worker finishes before another has started. */
static void (*quick_peek)(void *self, uint32_t thread, uint64_t addr, uint32_t size,
                          uint64_t out[2]);

static void slow_peek(void *self, uint32_t thread, uint64_t addr, uint32_t size, uint64_t out[2])
{
    static _Thread_local uint64_t dice = 88172645463325252ull;
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    if (dice % 64 == 0)
        sched_yield();
    quick_peek(self, thread, addr, size, out);
}

static pthread_barrier_t all_there;

static void *work(void *arg)
{
    struct member *m = arg;
    struct hd_explorer *ex = m->rig.ex;
    pthread_barrier_wait(&all_there);
    if (ex->split &&
        (!hd_explorer_may_start(ex->shared, ex->split->tree, ex->split->worker, false) ||
         !hd_explorer_rooted(ex)))
        return NULL;
    while (fake_world_explore(&m->rig.world, ex) == FAKE_CRASHED) {
        /* the next process */
        free(m->rig.world.undo);
        struct fake_world fresh;
        fake_world_init(&fresh, m->rig.world.program);
        m->rig.world.state = fresh.state;
        m->rig.world.undo = NULL;
        m->rig.world.depth = m->rig.world.room = 0;
        m->rig.world.config = fresh.config;
        m->rig.world.config.next = m->rig.world.next;
        memcpy(m->rig.world.next, fresh.next, sizeof fresh.next);
        hd_explorer_revive(ex, &m->rig.world.world, &m->rig.world.crash);
    }
    return NULL;
}

/* All worlds' distinct good ends together. */
static uint64_t all_finals(struct member *members, uint32_t n)
{
    struct fake_world *first = &members[0].rig.world;
    for (uint32_t i = 1; i < n; i++)
        for (uint32_t k = 0; k < members[i].rig.world.n_finals; k++) {
            uint64_t h = members[i].rig.world.finals[k];
            uint32_t at = 0;
            while (at < first->n_finals && first->finals[at] != h)
                at++;
            if (at == first->n_finals && at < 512)
                first->finals[first->n_finals++] = h;
        }
    return fake_finals_hash(first);
}

static uint64_t all_findings(const struct member *members, uint32_t n)
{
    uint64_t seen[MOST * HD_MAX_FINDINGS], n_seen = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < members[i].rig.shared->n_findings; k++) {
            uint64_t f = members[i].rig.shared->findings[k].fingerprint, at = 0;
            while (at < n_seen && seen[at] != f)
                at++;
            if (at == n_seen)
                seen[n_seen++] = f;
        }
    return n_seen;
}

static struct sums explore(const struct fake_program *p, uint32_t filters, uint32_t n)
{
    struct member members[MOST] = { 0 };
    struct hd_shared_tree *tree = mmap(NULL, TREE_BYTES, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct sums sums = { 0 };
    assert_ptr_not_equal(tree, MAP_FAILED);
    for (uint32_t i = 0; i < n; i++) {
        struct fake_rig *rig = &members[i].rig;
        fake_rig_open(rig, p);
        rig->shared->options.filters = filters;
        rig->shared->options.jobs = n;
        quick_peek = rig->world.world.peek;
        if (n > 1)
            rig->world.world.peek = slow_peek;
        rig->ex = fake_explorer_create(rig->shared, &rig->world);
        assert_non_null(rig->ex);
        if (n > 1)
            assert_true(hd_explorer_join(rig->ex, tree, TREE_BYTES, i));
    }
    pthread_barrier_init(&all_there, NULL, n);
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(pthread_create(&members[i].thread, NULL, work, &members[i]), 0);
    for (uint32_t i = 0; i < n; i++) {
        pthread_join(members[i].thread, NULL);
        const struct hd_counters *c = &members[i].rig.shared->cnt;
        sums.executions += c->executions;
        sums.blocked += c->blocked;
        sums.pruned += c->pruned;
        sums.bounded += c->bounded;
        sums.finished |= c->finished;
        assert_string_equal(members[i].rig.shared->ctl.error, "");
    }
    sums.finals_hash = all_finals(members, n);
    sums.findings = all_findings(members, n);
    for (uint32_t i = 0; i < n; i++)
        fake_rig_close(&members[i].rig);
    munmap(tree, TREE_BYTES);
    return sums;
}

static void print_program(const struct fake_program *p)
{
    for (uint32_t t = 0; t < p->n_threads; t++) {
        print_error("  T%u:", t);
        for (uint32_t i = 0; i < p->threads[t].n; i++) {
            const struct fake_step *x = &p->threads[t].steps[i];
            print_error(" %s(%u,%u)", hd_op_table[x->op].text, x->object, x->size);
        }
        print_error("\n");
    }
}

static void test_random_programs(void **state)
{
    static const uint32_t kinds[] = { HD_FILTER_OPTIMAL, HD_FILTER_SOURCE, HD_FILTER_DPOR,
                                      HD_FILTER_SLEEP, 0 };
    (void)state;
    uint32_t bad = 0;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct fake_thread threads[3];
        struct fake_program p;
        fake_random_program(seed, threads, &p);
        for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct sums one = explore(&p, kinds[k], 1),
                        more = explore(&p, kinds[k], 2 + seed % 2);
            if (one.executions != more.executions || one.finals_hash != more.finals_hash ||
                one.findings != more.findings || !more.finished ||
                (k >= 3 && one.blocked != more.blocked)) {
                print_error("seed %llu filter %x: %llu executions instead of %llu, blocked %llu "
                            "%llu\n",
                            (unsigned long long)seed, kinds[k],
                            (unsigned long long)more.executions,
                            (unsigned long long)one.executions, (unsigned long long)more.blocked,
                            (unsigned long long)one.blocked);
                if (bad++ == 0)
                    print_program(&p);
            }
        }
    }
    assert_int_equal(bad, 0);
}

/* Two threads add to each other's variable, a third looks at both: many traces, long wakeup
 * sequences. */
static void test_fib(void **state)
{
    struct fake_thread threads[3] = { { .n = 2 }, { .n = 9 }, { .n = 9 } };
    struct fake_program p = { 3, threads };
    (void)state;
    for (uint8_t t = 0; t < 3; t++)
        for (uint8_t i = 0; i < threads[t].n; i++)
            threads[t].steps[i] =
                (struct fake_step){ .op = i % 3 == 2 ? HD_OP_WRITE : HD_OP_READ,
                                    .object = (uint8_t)(8 * ((i % 3 == 1) ^ (t == 2))),
                                    .size = 4,
                                    .value = (uint8_t)(i + t) };
    struct sums one = explore(&p, HD_FILTER_OPTIMAL, 1);
    assert_int_equal(one.executions, 1698); /* fib_bench(3) */
    for (uint32_t i = 0; i < 8; i++) {
        struct sums more = explore(&p, HD_FILTER_OPTIMAL, 2 + i % 2);
        assert_int_equal(more.executions, one.executions);
        assert_int_equal(more.blocked, 0);
        assert_int_equal(more.finals_hash, one.finals_hash);
    }
}

/* A step that kills the worker: the next process goes on with its part. */
static void test_crashes(void **state)
{
    struct fake_thread threads[3] = { { .n = 3 }, { .n = 3 }, { .n = 2 } };
    struct fake_program p = { 3, threads };
    static const uint32_t kinds[] = { HD_FILTER_OPTIMAL, HD_FILTER_SOURCE, HD_FILTER_SLEEP, 0 };
    (void)state;
    for (uint8_t t = 0; t < 3; t++)
        for (uint8_t i = 0; i < threads[t].n; i++)
            threads[t].steps[i] = (struct fake_step){
                .op = (t + i) % 2 ? HD_OP_WRITE : HD_OP_READ, .size = 1, .value = (uint8_t)(1 + t)
            };
    threads[2].steps[0].note = FAKE_CRASHES;
    threads[2].steps[0].when = 2;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct sums one = explore(&p, kinds[k], 1);
        assert_int_equal(one.findings, 1);
        for (uint32_t again = 0; again < 60; again++) { /* interference is rare */
            struct sums more = explore(&p, kinds[k], 3);
            assert_int_equal(more.findings, 1);
            assert_int_equal(more.executions, one.executions);
            assert_int_equal(more.finals_hash, one.finals_hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fib),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
