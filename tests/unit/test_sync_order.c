/* Fences as events of their own order the same accesses as fences that are noted at the step
 * before them.  The program is message passing: one thread writes data and sets a flag by a relaxed
 * store, another reads the flag by a relaxed load and then the data.  C11 orders the two accesses
 * of the data exactly when there is a release fence before the store and an acquire fence after
 * the load. */
#include "explore/order/sync_order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
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
    hd_sync_order_ran(so, thread, &a);
    if (way == NOTED || !fence)
        return;
    struct hd_action f = { .op = HD_OP_FENCE, .order = (uint8_t)fence, .choices = 1 };
    hd_sync_order_ran(so, thread, &f);
}

static uint32_t races_of(uint32_t before_store, uint32_t after_load, enum way way)
{
    void *memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct hd_arena arena = { memory, 0, ARENA_BYTES };
    struct hd_sync_order so;
    assert_true(memory != MAP_FAILED);
    assert_true(hd_sync_order_init(&so, &arena, unordered, NULL));
    n_races = 0;
    step(&so, 0, HD_OP_WRITE, DATA, before_store, way);
    step(&so, 0, HD_OP_ATOMIC_WRITE, FLAG, 0, way);
    step(&so, 1, HD_OP_ATOMIC_READ, FLAG, after_load, way);
    step(&so, 1, HD_OP_READ, DATA, 0, way);
    assert_false(so.full);
    munmap(memory, ARENA_BYTES);
    return n_races;
}

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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(fences_order_alike) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
