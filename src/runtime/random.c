/* Seeded random numbers: one generator, an object of the model, so that what a thread gets is a
 * matter of the schedule alone. */
#include "runtime/memory.h"
#include "runtime/rt.h"

#include "base/rng.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static uint64_t draw_into(void *result, uint32_t bytes)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!rt->solo_fast)
        hd_act(HD_OP_RANDOM, &model->random, result, bytes, site);
    struct hd_rng rng = { model->random };
    uint64_t value = hd_rng_next(&rng);
    HD_SET(model->random, rng.state);
    return value;
}

static uint64_t draw(void) { return draw_into(NULL, 0); }

static void seed(uint64_t value)
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast)
        hd_act(HD_OP_RANDOM, &model->random, NULL, 0, site);
    HD_SET(model->random, value);
}

int rand(void) { return (int)(draw() >> 33); }
long random(void) { return (long)(draw() >> 33); }
void srand(unsigned s) { seed(s); }
void srandom(unsigned s) { seed(s); }
void srand48(long s) { seed((uint64_t)s); }
double drand48(void) { return (double)(draw() >> 11) * 0x1p-53; }
long lrand48(void) { return (long)(draw() >> 33); }
long mrand48(void) { return (long)(int32_t)(draw() >> 32); }

ssize_t getrandom(void *buffer, size_t n, unsigned flags)
{
    (void)flags;
    struct hd_rng rng = { draw_into(buffer, (uint32_t)n) };
    hd_log_range(buffer, n);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v = hd_rng_next(&rng);
        memcpy((char *)buffer + i, &v, n - i < 8 ? n - i : 8);
    }
    return (ssize_t)n;
}

int getentropy(void *buffer, size_t n) { return getrandom(buffer, n, 0) < 0 ? -1 : 0; }

/* Generators of the program's own: libc's, on memory that is the program's.  The state lies
 * where the structure says, with one word in front. */
static void announce(struct random_data *data, uint32_t site)
{
    __heddle_will_write(data, sizeof *data, site);
    if (data->state)
        __heddle_will_write(data->state - 1,
                            (uint64_t)((char *)data->end_ptr - (char *)(data->state - 1)), site);
}

int random_r(struct random_data *restrict data, int32_t *restrict result)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    announce(data, site);
    __heddle_will_write(result, sizeof *result, site);
    return REAL(int (*)(struct random_data *, int32_t *), "random_r")(data, result);
}

int srandom_r(unsigned value, struct random_data *data)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    announce(data, site);
    return REAL(int (*)(unsigned, struct random_data *), "srandom_r")(value, data);
}

int initstate_r(unsigned value, char *restrict state, size_t n, struct random_data *restrict data)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    announce(data, site);
    __heddle_will_write(state, n, site);
    return REAL(int (*)(unsigned, char *, size_t, struct random_data *),
                "initstate_r")(value, state, n, data);
}
