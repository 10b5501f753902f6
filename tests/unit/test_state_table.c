/* The states that several workers share: each is added once, by one of them, whatever the
 * timing, while the table grows. */
#include "core/pack.h"
#include "explore/jobs/state_edges.h"
#include "explore/jobs/state_table.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <cmocka.h>

#define WORKERS 4u
#define KEYS 40000u
#define ARENA (256ull << 20)

struct shared {
    struct hd_state_table table;
    struct hd_arena arena;
    pthread_mutex_t lock; /* of the arena */
    pthread_barrier_t all_there;
    uint8_t claimed[WORKERS][KEYS];
    uint32_t wrong_ranks[WORKERS];
    uint32_t numbers[KEYS];
    uint32_t taken[2 * KEYS]; /* by number of a state */
};

struct worker {
    struct shared *shared;
    uint32_t number;
};

static void key_of(uint32_t i, uint64_t key[2])
{
    /* a few `lo` for many keys, and halves that are 0; the lowest 16 bits are not kept */
    key[0] = i % 7 == 0 ? i / 70 : i * 0x9e3779b97f4a7c15ull;
    key[1] = (uint64_t)i << 16;
}

static void *claim_all(void *arg)
{
    const struct worker *w = arg;
    struct shared *s = w->shared;
    pthread_barrier_wait(&s->all_there);
    for (uint32_t k = 0; k < KEYS; k++) {
        uint32_t i = (k * (2 * w->number + 1) + w->number * 97) % KEYS;
        struct hd_state_tag tag = { .rank = i + 1 };
        uint64_t key[2];
        key_of(i, key);
        enum hd_claim claim = hd_state_table_claim(&s->table, w->number, key, &tag);
        s->claimed[w->number][i] += claim == HD_CLAIM_OURS;
        s->wrong_ranks[w->number] += claim == HD_CLAIM_FULL || tag.rank != i + 1;
        if (claim == HD_CLAIM_OURS)
            s->numbers[i] = tag.number;
        if (claim == HD_CLAIM_OURS && hd_state_table_is_filled(&s->table)) {
            pthread_mutex_lock(&s->lock);
            hd_state_table_grow(&s->table);
            pthread_mutex_unlock(&s->lock);
        }
    }
    return NULL;
}

static struct shared *make_table(uint64_t first, bool numbered)
{
    struct shared *s = calloc(1, sizeof *s);
    void *memory = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    s->arena = (struct hd_arena){ memory, 0, ARENA };
    s->table.first = first;
    assert_true(hd_state_table_init(&s->table, &s->arena, numbered));
    pthread_mutex_init(&s->lock, NULL);
    pthread_barrier_init(&s->all_there, NULL, WORKERS);
    return s;
}

static struct shared *make_shared(uint64_t first) { return make_table(first, true); }

static void release(struct shared *s)
{
    munmap(s->arena.base, ARENA);
    pthread_barrier_destroy(&s->all_there);
    free(s);
}

static void run_workers(struct shared *s)
{
    struct worker workers[WORKERS];
    pthread_t threads[WORKERS];
    for (uint32_t i = 0; i < WORKERS; i++) {
        workers[i] = (struct worker){ s, i };
        pthread_create(&threads[i], NULL, claim_all, &workers[i]);
    }
    for (uint32_t i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
}

static void each_once(void **state)
{
    (void)state;
    for (uint32_t round = 0; round < 8; round++) {
        bool numbered = round % 2;
        struct shared *s = make_table(1024, numbered);
        run_workers(s);
        for (uint32_t i = 0; i < KEYS; i++) {
            uint32_t times = 0;
            for (uint32_t w = 0; w < WORKERS; w++)
                times += s->claimed[w][i];
            assert_int_equal(times, 1);
            assert_true(!numbered ||
                        (s->numbers[i] < s->table.numbers && s->numbers[i] < 2 * KEYS));
            assert_int_equal(s->taken[s->numbers[i]]++, numbered ? 0 : i);
        }
        for (uint32_t w = 0; w < WORKERS; w++)
            assert_int_equal(s->wrong_ranks[w], 0);
        assert_true(s->table.n_groups * HD_STATE_GROUP >= KEYS);
        release(s);
    }
}

/* A table that cannot grow says so, and keeps what it has. */
static void full(void **state)
{
    (void)state;
    struct shared *s = make_shared(64 / HD_STATE_GROUP);
    uint32_t ours = 0, no_room = 0, room = 64 / HD_STATE_GROUP * HD_STATE_GROUP;
    for (uint32_t i = 1; i <= 100; i++) {
        uint64_t key[2] = { i * 0x9e3779b97f4a7c15ull, 0 };
        struct hd_state_tag tag = { .rank = i };
        enum hd_claim claim = hd_state_table_claim(&s->table, 0, key, &tag);
        ours += claim == HD_CLAIM_OURS;
        no_room += claim == HD_CLAIM_FULL;
    }
    assert_int_equal(ours, room);
    assert_int_equal(no_room, 100 - room);
    uint64_t key[2] = { 0x9e3779b97f4a7c15ull, 0 };
    struct hd_state_tag tag = { .rank = 99 };
    assert_int_equal(hd_state_table_claim(&s->table, 0, key, &tag), HD_CLAIM_KNOWN);
    assert_int_equal(tag.rank, 1);
    release(s);
}

/* Ranks have 16 bits.  One that does not fit must never look smaller than a rank that does: a
 * step to it from there would be taken for one that leads back. Of a key 112 bits count. */
static void bits(void **state)
{
    (void)state;
    static const uint32_t ranks[][2] = { { 1, 1 },
                                         { 0xfffe, 0xfffe },
                                         { 0xffff, 0xffff },
                                         { 0x10000, 0xffff },
                                         { 0x10001, 0xffff },
                                         { 1u << 20, 0xffff } };
    struct shared *s = make_shared(64);
    for (uint32_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        uint64_t key[2] = { 77 + i, 0 }, low[2] = { 77 + i, 0xffff },
                 high[2] = { 77 + i, 0x10000 };
        struct hd_state_tag tag = { .rank = ranks[i][0] };
        assert_int_equal(hd_state_table_claim(&s->table, 0, key, &tag), HD_CLAIM_OURS);
        tag.rank = 5;
        assert_int_equal(hd_state_table_claim(&s->table, 1, low, &tag), HD_CLAIM_KNOWN);
        assert_int_equal(tag.rank, ranks[i][1]);
        assert_true(hd_state_table_same(key, low));
        assert_false(hd_state_table_same(key, high));
        assert_int_equal(hd_state_table_claim(&s->table, 1, high, &tag), HD_CLAIM_OURS);
    }
    release(s);
}

static void as_bytes(void **state)
{
    bool numbered = *state != NULL;
    struct shared *s = make_table(1024, numbered), *other = make_table(64, !numbered);
    run_workers(s);
    uint64_t room = KEYS * 32ull, n;
    uint8_t *bytes = malloc(room);
    struct hd_pack p = hd_pack_writer(bytes, room);
    hd_state_table_pack(&s->table, &p);
    assert_false(p.bad);
    n = (uint64_t)(p.at - bytes);
    p = hd_pack_reader(bytes, n);
    hd_state_table_pack(&other->table, &p);
    assert_false(p.bad);
    assert_ptr_equal(p.at, p.end);
    for (uint32_t i = 0; i < KEYS; i++) {
        uint64_t key[2];
        struct hd_state_tag tag = { .rank = 1 };
        key_of(i, key);
        assert_int_equal(hd_state_table_claim(&other->table, 1, key, &tag), HD_CLAIM_KNOWN);
        assert_int_equal(tag.rank, i + 1);
        assert_int_equal(tag.number, numbered ? s->numbers[i] : 0);
    }
    free(bytes);
    release(s);
    release(other);
}

/* Nobody has written a table with a state twice, or with half a state, or without its rank, or
 * with a number that has not been given. */
static void wrong_bytes(void **state)
{
    (void)state;
    static const struct hd_state_slot wrong[][2] = {
        { { 5, 7 }, { 5, 7 } },       { { 5, 7 }, { 5, 6 } }, { { 5, 7 }, { 5, 0 } },
        { { 5, 7 }, { 6, 0x10000 } }, { { 5, 7 }, { 0, 7 } }, { { 5, 7 }, { 6, 7 } }
    };
    enum { N_WRONG = sizeof wrong / sizeof *wrong };
    for (uint32_t i = 0; i < N_WRONG; i++) {
        struct shared *s = make_shared(64);
        uint8_t bytes[64];
        struct hd_pack p = hd_pack_writer(bytes, sizeof bytes);
        uint32_t numbered = 1, numbers = 9, number = i == N_WRONG - 1 ? 9 : 1;
        uint64_t n = 2;
        hd_pack_u32(&p, &numbered, 1);
        hd_pack_u32(&p, &numbers, UINT32_MAX);
        hd_pack_count64(&p, &n, 2);
        for (uint32_t k = 0; k < 2; k++) {
            struct hd_state_slot slot = wrong[i][k];
            hd_pack_bytes(&p, &slot, sizeof slot);
            hd_pack_u32(&p, &number, UINT32_MAX);
        }
        p = hd_pack_reader(bytes, (uint64_t)(p.at - bytes));
        hd_state_table_pack(&s->table, &p);
        assert_true(p.bad);
        release(s);
    }
}

/* Random graphs: a cycle is there exactly if a depth-first search meets a state of its path. */
#define STATES 24u

static bool leads_back(const bool edges[STATES][STATES], uint32_t s, uint8_t *mark)
{
    bool found = false;
    mark[s] = 1;
    for (uint32_t t = 0; t < STATES && !found; t++)
        if (edges[s][t])
            found = mark[t] == 1 || (!mark[t] && leads_back(edges, t, mark));
    mark[s] = 2;
    return found;
}

static void cycles(void **state)
{
    (void)state;
    uint32_t cyclic = 0;
    uint64_t dice = 88172645463325252ull;
    for (uint32_t round = 0; round < 400; round++) {
        struct shared *s = make_shared(64);
        struct hd_state_edges *e = calloc(1, sizeof *e), *again = calloc(1, sizeof *again);
        bool edges[STATES][STATES] = { { false } };
        for (uint32_t i = 0; i < STATES; i++) {
            dice = dice * 6364136223846793005ull + 1442695040888963407ull;
            uint32_t from = dice >> 33 & 31, to = dice >> 40 & 31, worker = dice >> 50 & 3;
            if (from >= STATES || to >= STATES)
                continue;
            edges[from][to] = true;
            if (!hd_state_edges_have_room(e, worker))
                hd_state_edges_make_room(e, worker, &s->arena);
            hd_state_edges_add(e, worker, from, to);
        }
        uint8_t mark[STATES] = { 0 };
        bool want = false;
        for (uint32_t i = 0; i < STATES && !want; i++)
            want = !mark[i] && leads_back(edges, i, mark);
        assert_int_equal(hd_state_edges_cyclic(e, STATES, &s->arena),
                         want ? HD_CYCLIC : HD_CYCLIC_NOT);
        cyclic += want;
        uint8_t bytes[256];
        struct hd_pack p = hd_pack_writer(bytes, sizeof bytes);
        hd_state_edges_pack(e, &s->arena, &p);
        p = hd_pack_reader(bytes, (uint64_t)(p.at - bytes));
        hd_state_edges_pack(again, &s->arena, &p);
        assert_false(p.bad);
        assert_int_equal(hd_state_edges_cyclic(again, STATES, &s->arena),
                         want ? HD_CYCLIC : HD_CYCLIC_NOT);
        assert_int_equal(hd_state_edges_cyclic(again, 1, &s->arena), HD_CYCLIC_UNKNOWN);
        free(e);
        free(again);
        release(s);
    }
    assert_in_range(cyclic, 40, 360);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_once),
        cmocka_unit_test(full),
        cmocka_unit_test(bits),
        cmocka_unit_test(as_bytes),
        cmocka_unit_test_prestate(as_bytes, "numbered"),
        cmocka_unit_test(wrong_bytes),
        cmocka_unit_test(cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
