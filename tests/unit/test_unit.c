/* Work units: one process writes a unit, and another one, which shares no memory with it, goes
 * on; the counts are those of a search that was never stopped.  Other bytes are refused, and
 * never do harm. */
#include "fake_world.h"

#include "base/hash.h"
#include "core/worker_pack.h"
#include "explore/jobs/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MOST_BYTES (64u << 20)
#define UNIT_HEAD 32u

/* What one process sends to the next. */
struct message {
    uint64_t result_bytes, unit_bytes;
    uint32_t finished, n_finals;
    uint64_t finals[512];
};

struct parcel {
    struct message head;
    uint8_t *result, *unit;
};

struct sums {
    uint64_t executions, blocked, pruned, bounded, events, states, traces, max_depth, findings;
    uint64_t finals_hash;
};

static uint64_t dice_state = 88172645463325252ull;
static uint64_t dice(uint64_t below)
{
    dice_state ^= dice_state << 13;
    dice_state ^= dice_state >> 7;
    dice_state ^= dice_state << 17;
    return dice_state % below;
}

/* ---- one process ---- */

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

static void explore(struct fake_rig *rig)
{
    while (fake_world_explore(&rig->world, rig->ex) == FAKE_CRASHED) {
        new_world(rig);
        hd_explorer_revive(rig->ex, &rig->world.world, &rig->world.crash);
    }
}

/* Lay out an explorer, with what another process has left. */
static void open_rig(struct fake_rig *rig, const struct fake_program *p, uint32_t filters,
                     const struct parcel *from)
{
    fake_rig_open(rig, p);
    rig->shared->n_threads = 1;
    rig->shared->options.filters = filters;
    rig->shared->options.delays = rig->shared->options.preemptions = 2;
    rig->ex = fake_explorer_create(rig->shared, &rig->world);
    assert_non_null(rig->ex);
    if (!from)
        return;
    struct hd_pack result = hd_pack_reader(from->result, from->head.result_bytes);
    hd_worker_pack(rig->shared, &result);
    assert_false(result.bad);
    assert_ptr_equal(result.at, result.end);
    assert_null(hd_explorer_unpack(rig->ex, from->unit, from->head.unit_bytes));
    memcpy(rig->world.finals, from->head.finals, sizeof from->head.finals);
    rig->world.n_finals = from->head.n_finals;
}

/* Explore until there are `executions` of them; what is left. */
static void one_part(const struct fake_program *p, uint32_t filters, const struct parcel *from,
                     uint64_t executions, struct parcel *to)
{
    struct fake_rig rig;
    open_rig(&rig, p, filters, from);
    rig.shared->options.max_executions = executions;
    if (from)
        hd_explorer_resume(rig.ex, &rig.world.world);
    else
        rig.ex->limited = executions != 0;
    if (rig.shared->ctl.state != HD_STATE_DONE)
        explore(&rig);
    assert_string_equal(rig.shared->ctl.error, "");
    to->head = (struct message){ .finished = rig.shared->cnt.finished,
                                 .n_finals = rig.world.n_finals };
    memcpy(to->head.finals, rig.world.finals, sizeof to->head.finals);
    new_world(&rig);
    if (!to->head.finished) {
        to->head.unit_bytes = hd_explorer_pack(rig.ex, &rig.world.world, to->unit, MOST_BYTES);
        assert_int_not_equal(to->head.unit_bytes, 0);
    }
    struct hd_pack result = hd_pack_writer(to->result, MOST_BYTES);
    hd_worker_pack(rig.shared, &result);
    assert_false(result.bad);
    to->head.result_bytes = (uint64_t)(result.at - to->result);
    fake_rig_close(&rig);
}

static void send(int fd, const void *bytes, uint64_t n)
{
    for (const char *at = bytes; n;) {
        ssize_t done = write(fd, at, n);
        if (done <= 0)
            _exit(1);
        at += done;
        n -= (uint64_t)done;
    }
}

static void receive(int fd, void *bytes, uint64_t n)
{
    for (char *at = bytes; n;) {
        ssize_t done = read(fd, at, n);
        assert_true(done > 0);
        at += done;
        n -= (uint64_t)done;
    }
}

/* The same in a process of its own. */
static void part_elsewhere(const struct fake_program *p, uint32_t filters,
                           const struct parcel *from, uint64_t executions, struct parcel *to)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        one_part(p, filters, from, executions, to);
        send(ends[1], &to->head, sizeof to->head);
        send(ends[1], to->result, to->head.result_bytes);
        send(ends[1], to->unit, to->head.unit_bytes);
        _exit(0);
    }
    close(ends[1]);
    receive(ends[0], &to->head, sizeof to->head);
    receive(ends[0], to->result, to->head.result_bytes);
    receive(ends[0], to->unit, to->head.unit_bytes);
    close(ends[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

/* ---- many of them ---- */

static struct parcel parcel_new(void)
{
    struct parcel p = { .result = mmap(NULL, 2ull * MOST_BYTES, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) };
    assert_ptr_not_equal(p.result, MAP_FAILED);
    p.unit = p.result + MOST_BYTES;
    return p;
}

static void parcel_free(struct parcel *p) { munmap(p->result, 2ull * MOST_BYTES); }

static struct sums sums_of(const struct parcel *p)
{
    struct hd_worker_memory *shared = fake_shared_create();
    struct hd_pack result = hd_pack_reader(p->result, p->head.result_bytes);
    hd_worker_pack(shared, &result);
    const struct hd_counters *c = &shared->cnt;
    struct sums s = { c->executions, c->blocked, c->pruned,    c->bounded,         c->events,
                      c->states,     c->traces,  c->max_depth, shared->n_findings, 0 };
    for (uint32_t i = 0; i < p->head.n_finals; i++)
        s.finals_hash ^= p->head.finals[i];
    fake_shared_destroy(shared);
    return s;
}

/* In parts of at most `most` executions; 0: in one. */
static struct sums in_parts(const struct fake_program *p, uint32_t filters, uint64_t most)
{
    struct parcel one = parcel_new(), two = parcel_new(), *from = NULL, *to = &one;
    uint64_t executions = 0;
    do {
        if (most)
            executions += 1 + dice(most);
        part_elsewhere(p, filters, from, executions, to);
        from = to;
        to = to == &one ? &two : &one;
    } while (!from->head.finished);
    struct sums s = sums_of(from);
    parcel_free(&one);
    parcel_free(&two);
    return s;
}

static void compare(const struct fake_program *p, uint32_t filters, uint64_t seed, uint64_t most)
{
    struct sums whole = in_parts(p, filters, 0), parts = in_parts(p, filters, most);
    if (memcmp(&whole, &parts, sizeof whole) != 0)
        fail_msg("seed %llu filters %x: %llu executions %llu blocked %llu events, %llu %llu %llu "
                 "in parts",
                 (unsigned long long)seed, filters, (unsigned long long)whole.executions,
                 (unsigned long long)whole.blocked, (unsigned long long)whole.events,
                 (unsigned long long)parts.executions, (unsigned long long)parts.blocked,
                 (unsigned long long)parts.events);
}

static const uint32_t kinds[] = { HD_FILTER_OPTIMAL,
                                  HD_FILTER_SOURCE,
                                  HD_FILTER_DPOR,
                                  HD_FILTER_SLEEP,
                                  0,
                                  HD_FILTER_OPTIMAL | HD_FILTER_TRACES,
                                  HD_FILTER_NOT_SEEN,
                                  HD_FILTER_NOT_SEEN_HASH,
                                  HD_FILTER_NOT_SEEN | HD_FILTER_SUPER_STEP,
                                  HD_FILTER_DPOR | HD_FILTER_PREEMPTIONS,
                                  HD_FILTER_SLEEP | HD_FILTER_DELAYS,
                                  HD_FILTER_SHARED,
                                  HD_FILTER_DPOR_PLAIN,
                                  HD_FILTER_SYNC_ONLY };
#define KINDS (sizeof kinds / sizeof *kinds)

static void test_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct fake_thread threads[3];
        struct fake_program p;
        fake_random_program(seed, threads, &p);
        for (uint32_t k = 0; k < KINDS; k++) {
            uint64_t executions = in_parts(&p, kinds[k], 0).executions;
            compare(&p, kinds[k], seed, 1 + executions / 4);
        }
    }
}

static void test_fib(void **state)
{
    struct fake_thread threads[3] = { { .n = 2 }, { .n = 6 }, { .n = 6 } };
    struct fake_program p = { 3, threads };
    (void)state;
    for (uint8_t t = 0; t < 3; t++)
        for (uint8_t i = 0; i < threads[t].n; i++)
            threads[t].steps[i] =
                (struct fake_step){ .op = i % 3 == 2 ? HD_OP_WRITE : HD_OP_READ,
                                    .object = (uint8_t)(8 * ((i % 3 == 1) ^ (t == 2))),
                                    .size = 4,
                                    .value = (uint8_t)(i + t) };
    for (uint32_t i = 0; i < 20; i++)
        compare(&p, HD_FILTER_OPTIMAL, i, 5 + 5ull * i);
}

/* ---- hostile bytes ---- */

static void put_word(uint8_t *at, uint64_t word)
{
    for (uint32_t i = 0; i < 8; i++)
        at[i] = (uint8_t)(word >> 8 * i);
}

/* Head and hash are right, so that what is between them is read. */
static void seal(uint8_t *unit, uint64_t n)
{
    put_word(unit + 16, n - UNIT_HEAD);
    put_word(unit + 24, hd_hash_bytes(n - UNIT_HEAD, unit + UNIT_HEAD, n - UNIT_HEAD));
}

/* Refused, or gone on with: never a crash. */
static bool try_bytes(const struct fake_program *p, uint32_t filters, uint8_t *unit, uint64_t n)
{
    struct fake_rig rig;
    open_rig(&rig, p, filters, NULL);
    rig.shared->options.paranoid = 0;
    rig.shared->options.max_executions = 20;
    rig.shared->options.depth = 200;
    bool refused = hd_explorer_unpack(rig.ex, unit, n) != NULL;
    if (!refused) {
        hd_explorer_resume(rig.ex, &rig.world.world);
        if (rig.shared->ctl.state == HD_STATE_STARTING)
            fake_world_explore(&rig.world, rig.ex);
    }
    fake_rig_close(&rig);
    return refused;
}

static void test_hostile_bytes(void **state)
{
    struct parcel parcel = parcel_new();
    uint8_t *bytes = malloc(MOST_BYTES / 16);
    uint32_t refused = 0;
    (void)state;
    for (uint64_t seed = 3; seed < 6; seed++)
        for (uint32_t k = 0; k < KINDS; k++) {
            struct fake_thread threads[3];
            struct fake_program p;
            fake_random_program(seed, threads, &p);
            part_elsewhere(&p, kinds[k], NULL, 2, &parcel);
            if (parcel.head.finished)
                continue;
            uint64_t n = parcel.head.unit_bytes;
            assert_true(n < MOST_BYTES / 16);
            for (uint32_t again = 0; again < 12; again++) {
                uint64_t length = again % 4 == 3 ? UNIT_HEAD + 1 + dice(n - UNIT_HEAD) : n;
                memcpy(bytes, parcel.unit, length);
                bytes[UNIT_HEAD + dice(length - UNIT_HEAD)] ^= (uint8_t)(1 + dice(255));
                assert_true(try_bytes(&p, kinds[k], bytes, length)); /* the hash is wrong */
                for (uint64_t i = 0; i < dice(3); i++)
                    bytes[UNIT_HEAD + dice(length - UNIT_HEAD)] ^= (uint8_t)(1u << dice(8));
                seal(bytes, length);
                refused += try_bytes(&p, kinds[k], bytes, length);
            }
        }
    assert_true(refused > 100);
    free(bytes);
    parcel_free(&parcel);
}

static void test_other_versions(void **state)
{
    struct parcel parcel = parcel_new();
    struct fake_thread threads[3];
    struct fake_program p;
    (void)state;
    fake_random_program(3, threads, &p);
    part_elsewhere(&p, 0, NULL, 2, &parcel);
    uint8_t version = parcel.unit[8];
    parcel.unit[8] = (uint8_t)(version + 1);
    assert_true(try_bytes(&p, 0, parcel.unit, parcel.head.unit_bytes));
    parcel.unit[8] = version;
    assert_false(try_bytes(&p, 0, parcel.unit, parcel.head.unit_bytes));
    assert_true(try_bytes(&p, HD_FILTER_SLEEP, parcel.unit, parcel.head.unit_bytes));
    assert_true(try_bytes(&p, 0, parcel.unit, 7));
    parcel.unit[0]++;
    assert_true(try_bytes(&p, 0, parcel.unit, parcel.head.unit_bytes));
    parcel_free(&parcel);
}

/* ---- numbers ---- */

static void test_numbers(void **state)
{
    static const uint64_t values[] = { 0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_MAX };
    uint8_t bytes[16], longer[] = { 0x81, 0x00 },
                       huge[] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 };
    (void)state;
    for (uint32_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t value = values[i];
        struct hd_pack p = hd_pack_writer(bytes, sizeof bytes);
        hd_pack_u64(&p, &value);
        uint64_t n = (uint64_t)(p.at - bytes);
        p = hd_pack_reader(bytes, n);
        value = 1;
        hd_pack_u64(&p, &value);
        assert_int_equal(value, values[i]);
        assert_false(p.bad);
        p = hd_pack_reader(bytes, n - 1);
        hd_pack_u64(&p, &value);
        assert_true(p.bad);
    }
    uint64_t value;
    struct hd_pack p = hd_pack_reader(longer, sizeof longer);
    hd_pack_u64(&p, &value);
    assert_true(p.bad);
    p = hd_pack_reader(huge, sizeof huge);
    hd_pack_u64(&p, &value);
    assert_true(p.bad);
    uint32_t small = 7;
    bytes[0] = 9;
    p = hd_pack_reader(bytes, 1);
    hd_pack_u32(&p, &small, 8);
    assert_true(p.bad);
    assert_int_equal(small, 0);
}

/* Every counter is among the fields. */
static void test_all_counters(void **state)
{
    static uint8_t bytes[64 << 10];
    struct hd_worker_memory *from = fake_shared_create(), *to = fake_shared_create();
    (void)state;
    memset(&from->cnt, 0x5a, sizeof from->cnt);
    from->n_threads = to->n_threads = 1;
    struct hd_pack p = hd_pack_writer(bytes, sizeof bytes);
    hd_worker_pack(from, &p);
    assert_false(p.bad);
    p = hd_pack_reader(bytes, (uint64_t)(p.at - bytes));
    hd_worker_pack(to, &p);
    assert_false(p.bad);
    size_t used = offsetof(struct hd_counters, finished) + sizeof from->cnt.finished;
    assert_memory_equal(&from->cnt, &to->cnt, used);
    fake_shared_destroy(from);
    fake_shared_destroy(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_all_counters),
        cmocka_unit_test(test_other_versions),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_fib),
        cmocka_unit_test(test_hostile_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
