/* Work units of several workers: a search of N workers is stopped and continued by M others in
 * another tree, again and again.  It counts and finds what one worker does that is never
 * stopped. */
#include "fake_world.h"

#include "explore/jobs/split.h"
#include "explore/jobs/unit.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define MOST 4
#define MOST_UNITS (MOST + HD_MAX_UNITS)
#define TREE_BYTES (1ull << 30)
#define MOST_BYTES (1u << 20)
#define MOST_KNOWN 1024

/* What is left: units of the workers, then those that wait for one. */
struct units {
    uint32_t n, n_workers;
    uint64_t bytes[MOST_UNITS];
    uint8_t *at[MOST_UNITS];
};

struct known {
    uint32_t n;
    uint64_t keys[MOST_KNOWN];
};

/* Rounds with units that had to wait, and with workers that had none. */
static uint32_t n_waiting, n_without;

/* All rounds together. */
struct sums {
    uint64_t executions, blocked, pruned, bounded, traces;
    struct known finals, findings;
    bool finished;
};

struct member {
    struct fake_rig rig;
    pthread_t thread;
    bool has_unit;
};

static uint64_t dice_state = 88172645463325252ull;
static uint64_t dice(uint64_t below)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return dice_state % below;
}

static void add(struct known *known, uint64_t key)
{
    for (uint32_t i = 0; i < known->n; i++)
        if (known->keys[i] == key)
            return;
    assert_true(known->n < MOST_KNOWN);
    known->keys[known->n++] = key;
}

static uint64_t sum_of(const struct known *known)
{
    uint64_t sum = known->n;
    for (uint32_t i = 0; i < known->n; i++)
        sum += known->keys[i];
    return sum;
}

/* ---- a round ---- */

/* The explorer checks itself at every step; after so many of them the workers are stopped. */
static int64_t steps_left;
static struct hd_shared_tree *current;

static void count_step(void *self)
{
    int64_t left = __atomic_sub_fetch(&steps_left, 1, __ATOMIC_RELAXED);
    (void)self;
    if (left == 0)
        __atomic_store_n(&current->head.stop, 1, __ATOMIC_RELEASE);
    if (left % 16 == 0)
        sched_yield(); /* no worker finishes before another has started */
}

static void new_world(struct fake_rig *rig)
{
    struct fake_world fresh;
    free(rig->world.undo);
    fake_world_init(&fresh, rig->world.program);
    rig->world.state = fresh.state;
    rig->world.undo = NULL;
    rig->world.depth = rig->world.room = 0;
    rig->world.config = fresh.config;
    rig->world.config.next = rig->world.next;
    memcpy(rig->world.next, fresh.next, sizeof fresh.next);
}

static void *work(void *arg)
{
    struct member *m = arg;
    struct hd_explorer *ex = m->rig.ex;
    if (m->has_unit)
        hd_explorer_resume(ex, &m->rig.world.world);
    else if (!hd_explorer_may_start(ex->shared, ex->split->tree, ex->split->worker, false) ||
             !hd_explorer_rooted(ex))
        return NULL;
    if (m->rig.shared->ctl.state == HD_STATE_DONE)
        return NULL;
    while (fake_world_explore(&m->rig.world, ex) == FAKE_CRASHED) {
        new_world(&m->rig);
        hd_explorer_revive(ex, &m->rig.world.world, &m->rig.world.crash);
    }
    return NULL;
}

static void open_member(struct member *m, const struct fake_program *p, uint32_t filters,
                        uint32_t n, uint32_t who)
{
    struct fake_rig *rig = &m->rig;
    fake_rig_open(rig, p);
    rig->shared->n_threads = 1;
    rig->shared->options.filters = filters;
    rig->shared->options.delays = rig->shared->options.preemptions = 2;
    rig->shared->options.jobs = n;
    rig->world.world.check = count_step;
    rig->ex = fake_explorer_create(rig->shared, &rig->world);
    assert_non_null(rig->ex);
    assert_true(hd_explorer_join(rig->ex, current, TREE_BYTES, who));
}

/* As a checkpoint does it: units that no worker begins with wait at the end of the memory. */
static void let_wait(const struct units *units, uint32_t from)
{
    struct hd_shared_tree_head *head = &current->head;
    for (uint32_t i = from; i < units->n; i++) {
        head->reserved += (units->bytes[i] + 4095) & ~4095ull;
        struct hd_waiting_unit unit = { .at = TREE_BYTES - head->reserved,
                                        .bytes = units->bytes[i],
                                        .room = units->bytes[i] };
        memcpy((char *)current + unit.at, units->at[i], unit.bytes);
        head->units[head->n_slots++] = unit;
        head->n_units++;
    }
}

/* What is left becomes bytes; the first worker is the last. */
static void write_units(struct member *members, uint32_t n, struct units *units)
{
    units->n = units->n_workers = n;
    for (uint32_t i = n; i-- > 0;) {
        new_world(&members[i].rig);
        units->bytes[i] = hd_explorer_pack(members[i].rig.ex, &members[i].rig.world.world,
                                           units->at[i], MOST_BYTES);
        assert_int_not_equal(units->bytes[i], 0);
    }
    for (uint32_t i = 0; i < HD_MAX_UNITS; i++) {
        const struct hd_waiting_unit *unit = &current->head.units[i];
        if (!unit->bytes)
            continue;
        assert_true(units->n < MOST_UNITS && unit->bytes <= MOST_BYTES);
        memcpy(units->at[units->n], (char *)current + unit->at, unit->bytes);
        units->bytes[units->n++] = unit->bytes;
    }
}

static void take_counts(struct member *members, uint32_t n, struct sums *sums)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_worker_memory *shared = members[i].rig.shared;
        assert_string_equal(shared->ctl.error, "");
        sums->executions += shared->cnt.executions;
        sums->blocked += shared->cnt.blocked;
        sums->pruned += shared->cnt.pruned;
        sums->bounded += shared->cnt.bounded;
        sums->traces += shared->cnt.traces;
        sums->finished = sums->finished || shared->cnt.finished;
        for (uint32_t k = 0; k < shared->n_findings; k++)
            add(&sums->findings, shared->findings[k].fingerprint);
        for (uint32_t k = 0; k < members[i].rig.world.n_finals; k++)
            add(&sums->finals, members[i].rig.world.finals[k]);
    }
}

/* N workers, until they are stopped or all is explored. */
static void one_round(const struct fake_program *p, uint32_t filters, uint32_t n, int64_t steps,
                      struct units *units, struct sums *sums)
{
    struct member members[MOST] = { 0 };
    current = mmap(NULL, TREE_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(current, MAP_FAILED);
    uint32_t direct = n < units->n_workers ? n : units->n_workers;
    let_wait(units, direct);
    n_waiting += units->n > direct;
    n_without += direct && direct < n;
    steps_left = steps;
    for (uint32_t i = 0; i < n; i++) {
        open_member(&members[i], p, filters, n, i);
        members[i].has_unit = i < direct;
        if (members[i].has_unit)
            assert_null(hd_explorer_unpack(members[i].rig.ex, units->at[i], units->bytes[i]));
    }
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(pthread_create(&members[i].thread, NULL, work, &members[i]), 0);
    for (uint32_t i = 0; i < n; i++)
        pthread_join(members[i].thread, NULL);
    take_counts(members, n, sums);
    if (!sums->finished) {
        write_units(members, n, units);
        for (uint32_t i = 0; i < n; i++) /* the last part may have been over */
            sums->finished = sums->finished || members[i].rig.shared->cnt.finished;
    }
    for (uint32_t i = 0; i < n; i++)
        fake_rig_close(&members[i].rig);
    munmap(current, TREE_BYTES);
}

/* Rounds of about `steps` each, with another number of workers each time. */
static struct sums in_rounds(const struct fake_program *p, uint32_t filters, int64_t steps)
{
    struct units units = { 0 };
    struct sums sums = { 0 };
    uint8_t *memory = mmap(NULL, (uint64_t)MOST_UNITS * MOST_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    for (uint32_t i = 0; i < MOST_UNITS; i++)
        units.at[i] = memory + (uint64_t)i * MOST_BYTES;
    for (uint32_t round = 0; !sums.finished; round++)
        one_round(p, filters, steps ? 1 + (uint32_t)dice(MOST) : 1,
                  steps ? steps + round * steps / 8 : INT64_MAX, &units, &sums);
    munmap(memory, (uint64_t)MOST_UNITS * MOST_BYTES);
    return sums;
}

/* ---- tests ---- */

static const uint32_t kinds[] = { HD_FILTER_SLEEP,
                                  0,
                                  HD_FILTER_DELAYS,
                                  HD_FILTER_SLEEP | HD_FILTER_TRACES,
                                  HD_FILTER_OPTIMAL,
                                  HD_FILTER_OPTIMAL | HD_FILTER_TRACES,
                                  HD_FILTER_SOURCE,
                                  HD_FILTER_DPOR,
                                  HD_FILTER_DPOR | HD_FILTER_PREEMPTIONS };

/* Source sets and DPOR may begin a reversal with another thread, and be blocked at other places. */
static void compare(const struct sums *one, const struct sums *more, uint32_t filters,
                    uint64_t seed)
{
    bool same = one->executions == more->executions && one->traces == more->traces &&
                sum_of(&one->finals) == sum_of(&more->finals) &&
                sum_of(&one->findings) == sum_of(&more->findings) &&
                (filters & (HD_FILTER_SOURCE | HD_FILTER_DPOR) || one->blocked == more->blocked);
    if (!same)
        fail_msg("seed %llu filters %x: %llu executions %llu blocked %llu traces, %llu %llu %llu "
                 "with several workers",
                 (unsigned long long)seed, filters, (unsigned long long)one->executions,
                 (unsigned long long)one->blocked, (unsigned long long)one->traces,
                 (unsigned long long)more->executions, (unsigned long long)more->blocked,
                 (unsigned long long)more->traces);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 24; seed++) {
        struct fake_thread threads[3];
        struct fake_program p;
        fake_random_program(seed, threads, &p);
        for (uint32_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            struct sums one = in_rounds(&p, kinds[k], 0);
            struct sums more = in_rounds(&p, kinds[k], 20 + (int64_t)dice(400));
            compare(&one, &more, kinds[k], seed);
        }
    }
    assert_true(n_waiting > 20 && n_without > 20);
}

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
    for (uint32_t i = 0; i < 6; i++) {
        struct sums more = in_rounds(&p, HD_FILTER_OPTIMAL, 1000 + (int64_t)dice(4000));
        assert_int_equal(more.executions, 1698); /* fib_bench(3) */
        assert_int_equal(more.blocked, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fib),
        cmocka_unit_test(test_random_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
