#include "fake_world.h"

#include <string.h>

static struct fake_step memory_step(struct hd_rng *rng)
{
    static const uint16_t ops[] = { HD_OP_READ,  HD_OP_READ,        HD_OP_WRITE,
                                    HD_OP_WRITE, HD_OP_ATOMIC_READ, HD_OP_ATOMIC_WRITE,
                                    HD_OP_RMW,   HD_OP_CAS };
    struct fake_step s = { .op = ops[hd_rng_below(rng, 8)] };
    s.size = (uint8_t)(1u << hd_rng_below(rng, 3));
    s.object = (uint8_t)hd_rng_below(rng, 5); /* overlapping, and not aligned */
    s.value = (uint8_t)hd_rng_below(rng, 3);
    s.expected = (uint8_t)hd_rng_below(rng, 2);
    if (hd_rng_below(rng, 6) == 0) {
        s.note = FAKE_FAILS;
        s.when = (uint8_t)(1 + hd_rng_below(rng, 2));
    }
    return s;
}

static void add(struct fake_thread *t, struct fake_step s) { t->steps[t->n++] = s; }

static void add_sync(struct hd_rng *rng, struct fake_thread *t)
{
    uint8_t mutex = (uint8_t)hd_rng_below(rng, 2);
    switch (hd_rng_below(rng, 5)) {
    case 0:
        add(t, (struct fake_step){ .op = HD_OP_YIELD });
        break;
    case 1:
        add(t, (struct fake_step){ .op = HD_OP_SIGNAL });
        break;
    case 2:
        add(t, (struct fake_step){ .op = HD_OP_TRYLOCK, .object = mutex });
        add(t, (struct fake_step){ .op = HD_OP_UNLOCK, .object = mutex });
        break;
    case 3:
        add(t, (struct fake_step){ .op = HD_OP_LOCK, .object = 0 });
        add(t, (struct fake_step){ .op = HD_OP_WAIT, .object = 0, .object2 = 0 });
        add(t, (struct fake_step){ .op = HD_OP_UNLOCK, .object = 0 });
        break;
    default:
        add(t, (struct fake_step){ .op = HD_OP_LOCK, .object = mutex });
        add(t, memory_step(rng));
        add(t, (struct fake_step){ .op = HD_OP_UNLOCK, .object = mutex });
    }
}

void fake_random_program(uint64_t seed, struct fake_thread *threads, struct fake_program *p)
{
    struct hd_rng rng = { seed * 0x9e3779b97f4a7c15ull + 7 };
    p->n_threads = 2 + hd_rng_below(&rng, 2);
    p->threads = threads;
    uint32_t most = p->n_threads == 2 ? 5 : 3;
    memset(threads, 0, 3 * sizeof *threads);
    for (uint32_t t = 0; t < p->n_threads; t++)
        while (threads[t].n < most) {
            if (hd_rng_below(&rng, 3) == 0 && threads[t].n + 3 <= most + 1)
                add_sync(&rng, &threads[t]);
            else
                add(&threads[t], memory_step(&rng));
        }
}
