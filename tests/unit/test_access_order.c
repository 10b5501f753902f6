/* Which pairs of accesses are not ordered by given clocks: random accesses of a few bytes by a few
 * threads, with random clocks, cut back now and then, against a comparison of all pairs. */
#include "base/rng.h"
#include "core/layout.h"
#include "explore/order/access_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#define ARENA_BYTES (1ull << 32)
#define DATA 0x1000u

enum { THREADS = 4, MOST = 64, BYTES = 24 };

struct made {
    uint32_t thread, place;
    struct hd_action action;
    uint16_t clock[THREADS];
};

static struct made made[MOST];
static bool found[MOST][MOST];

static void unordered(void *self, uint32_t early, uint32_t late)
{
    (void)self;
    assert_true(early < late && late < MOST);
    found[late][early] = true;
}

static void start(struct hd_access_order *ao, struct hd_arena *arena, void **memory)
{
    *memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(*memory != MAP_FAILED);
    *arena = (struct hd_arena){ *memory, 0, ARENA_BYTES };
    assert_true(hd_access_order_init(ao, arena, unordered, NULL));
}

static bool touches(const struct made *m, uint32_t byte)
{
    return m->action.object <= DATA + byte && DATA + byte < m->action.object + m->action.size;
}

static bool is_atomic(const struct made *m)
{
    return m->action.op == HD_OP_ATOMIC_READ || m->action.op == HD_OP_ATOMIC_WRITE;
}

static bool writes(const struct made *m)
{
    return m->action.op != HD_OP_READ && m->action.op != HD_OP_ATOMIC_READ;
}

/* Is there a byte of which both are accesses, and which has not ended between? */
static bool meet(uint32_t early, uint32_t late)
{
    for (uint32_t byte = 0; byte < BYTES; byte++) {
        bool both = made[early].action.op != HD_OP_FREE && touches(&made[early], byte) &&
                    touches(&made[late], byte);
        for (uint32_t i = early + 1; i < late && both; i++)
            both = made[i].action.op != HD_OP_FREE || !touches(&made[i], byte);
        if (both)
            return true;
    }
    return false;
}

static bool race(uint32_t early, uint32_t late)
{
    const struct made *a = &made[early], *b = &made[late];
    return a->thread != b->thread && b->clock[a->thread] <= a->place && meet(early, late) &&
           (writes(a) || writes(b)) && !(is_atomic(a) && is_atomic(b));
}

/* Clocks as happens-before has them: a thread's clock has what the thread knew before, and
 * whoever learns of an event learns what happened before it. */
static void choose(struct hd_rng *rng, uint32_t i)
{
    static const uint8_t ops[] = { HD_OP_READ,        HD_OP_WRITE,        HD_OP_READ,
                                   HD_OP_ATOMIC_READ, HD_OP_ATOMIC_WRITE, HD_OP_ATOMIC_READ,
                                   HD_OP_FREE };
    static const uint32_t sizes[] = { 1, 2, 4, 8 };
    struct made *m = &made[i];
    uint32_t size = sizes[hd_rng_below(rng, 4)], op = ops[hd_rng_below(rng, sizeof ops)];
    if (op == HD_OP_FREE)
        size = 8; /* blocks begin and end with accesses */
    *m = (struct made){ .thread = hd_rng_below(rng, THREADS) };
    m->action = (struct hd_action){ .object = DATA + hd_rng_below(rng, BYTES / size) * size,
                                    .size = size,
                                    .op = (uint8_t)op,
                                    .choices = 1 };
    for (uint32_t k = i; k-- > 0;)
        if (made[k].thread == m->thread) {
            memcpy(m->clock, made[k].clock, sizeof m->clock);
            m->place = made[k].place + 1;
            break;
        }
    bool learns = i && hd_rng_below(rng, 3) == 0;
    uint32_t other = learns ? hd_rng_below(rng, i) : 0;
    for (uint32_t t = 0; learns && t < THREADS; t++) {
        uint16_t learned = t == made[other].thread ? (uint16_t)(made[other].place + 1)
                                                   : made[other].clock[t];
        if (learned > m->clock[t])
            m->clock[t] = learned;
    }
}

static void agrees_with_all_pairs(void **state)
{
    (void)state;
    void *memory;
    struct hd_arena arena;
    struct hd_access_order ao;
    struct hd_rng rng = { 7 };
    uint32_t races = 0, i = 0;
    start(&ao, &arena, &memory);
    for (uint32_t n = 0; n < 20000; n++, i++) {
        if (i == MOST || hd_rng_below(&rng, 16) == 0) {
            i = hd_rng_below(&rng, i);
            hd_access_order_back(&ao, i);
        }
        choose(&rng, i);
        memset(found[i], 0, sizeof found[i]);
        hd_access_order_ran(&ao, made[i].thread, &made[i].action, made[i].clock, made[i].place);
        assert_false(ao.full);
        assert_int_equal(ao.depth, i + 1);
        for (uint32_t early = 0; early < i; early++) {
            assert_int_equal(found[i][early], race(early, i));
            races += race(early, i);
        }
    }
    assert_true(races > 1000);
    munmap(memory, ARENA_BYTES);
}

/* The stack of a thread ends with it. */
static void stacks_end(void **state)
{
    (void)state;
    void *memory;
    struct hd_arena arena;
    struct hd_access_order ao;
    static const uint16_t nothing[HD_MAX_THREADS], all[HD_MAX_THREADS] = { 9, 9, 9 };
    uint64_t at = HD_STACK_BASE + 1 * HD_STACK_STRIDE + 64;
    struct hd_action access = { .object = at, .size = 4, .op = HD_OP_ATOMIC_READ, .choices = 1 };
    struct hd_action end = { .object = 1, .op = HD_OP_EXIT, .choices = 1 };
    start(&ao, &arena, &memory);
    memset(found, 0, sizeof found);
    assert_true(hd_access_order_asks(&ao, &access));
    hd_access_order_ran(&ao, 2, &access, nothing, 3);
    hd_access_order_ran(&ao, 1, &end, nothing, 5);
    assert_true(found[1][0]);
    hd_access_order_back(&ao, 1);
    found[1][0] = false;
    hd_access_order_ran(&ao, 1, &end, all, 5);
    assert_false(found[1][0]);
    munmap(memory, ARENA_BYTES);
}

/* Atomic accesses are to be added where there has been another access of the word. */
static void learns_plain_words(void **state)
{
    (void)state;
    void *memory;
    struct hd_arena arena;
    struct hd_access_order ao;
    struct hd_action atomic = { .object = DATA, .size = 8, .op = HD_OP_RMW, .choices = 1 };
    struct hd_action plain = { .object = DATA + 6, .size = 4, .op = HD_OP_WRITE, .choices = 1 };
    start(&ao, &arena, &memory);
    assert_false(hd_access_order_asks(&ao, &atomic));
    assert_true(hd_access_order_learn(&ao, &plain));
    assert_false(hd_access_order_learn(&ao, &plain));
    assert_true(hd_access_order_asks(&ao, &atomic));
    atomic.object = DATA + 8;
    assert_true(hd_access_order_asks(&ao, &atomic));
    atomic.object = DATA + 16;
    assert_false(hd_access_order_asks(&ao, &atomic));
    munmap(memory, ARENA_BYTES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_all_pairs),
        cmocka_unit_test(stacks_end),
        cmocka_unit_test(learns_plain_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
