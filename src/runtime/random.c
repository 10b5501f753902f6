/* Random numbers. rand(), random(), drand48() and their like are the C library's own
 * generators, on state that is part of the model: a run under heddle gets the same values as a
 * native run.  Random bytes of the kernel are replaced by those of a generator of our own.  All
 * share one object, so that the values depend on the schedule alone. */
#include "runtime/memory.h"
#include "runtime/rt.h"

#include "base/rng.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

/* The step of a call that uses a generator, and writes `bytes` at `result` (NULL: nowhere). */
static uint32_t step_into(void *result, uint32_t bytes)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!rt->solo_fast)
        hd_act(HD_OP_RANDOM, &model->random, result, bytes, site);
    return site;
}

static void step(void) { step_into(NULL, 0); }

static uint64_t draw_into(void *result, uint32_t bytes)
{
    step_into(result, bytes);
    struct hd_rng rng = { model->random };
    uint64_t value = hd_rng_next(&rng);
    HD_SET(model->random, rng.state);
    return value;
}

/* ---- random, rand ---- */

/* The generator of random() as the library has it at the start, when it was never used
 * before. */
static struct random_data *generator(void)
{
    struct random_data *g = &model->generator;
    hd_log_range(g, sizeof *g);
    if (!g->state) {
        hd_log_range(model->generator_state, sizeof model->generator_state);
        REAL(int (*)(unsigned, char *, size_t, struct random_data *), "initstate_r")
        (1, model->generator_state, sizeof model->generator_state, g);
    }
    /* the state in use, which may be an array of the program's; one word with its kind lies in
     * front */
    int32_t *words = g->state - 1;
    hd_log_range(words, (uint64_t)((char *)g->end_ptr - (char *)words));
    return g;
}

long random(void)
{
    int32_t value;
    step();
    REAL(int (*)(struct random_data *, int32_t *), "random_r")(generator(), &value);
    return value;
}

int rand(void) { return (int)random(); }

void srandom(unsigned seed)
{
    step();
    REAL(int (*)(unsigned, struct random_data *), "srandom_r")(seed, generator());
}

void srand(unsigned seed) { srandom(seed); }

char *initstate(unsigned seed, char *state, size_t n)
{
    uint32_t site = step_into(state, (uint32_t)n);
    struct random_data *g = generator();
    char *before = (char *)(g->state - 1);
    __heddle_keep(state, n);
    hd_check_access(state, n, HD_OP_WRITE, site);
    int failed = REAL(int (*)(unsigned, char *, size_t, struct random_data *),
                      "initstate_r")(seed, state, n, g);
    return failed ? NULL : before;
}

char *setstate(char *state)
{
    uint32_t site = __heddle_call_site;
    __heddle_will_read(state, sizeof(int32_t), site); /* which generator it belongs to */
    __heddle_call_site = site;
    step();
    struct random_data *g = generator();
    char *before = (char *)(g->state - 1);
    return REAL(int (*)(char *, struct random_data *), "setstate_r")(state, g) ? NULL : before;
}

/* ---- drand48 and its family ---- */

static struct drand48_data *family(void)
{
    step();
    hd_log_range(&model->family48, sizeof model->family48);
    return &model->family48;
}

/* The functions whose state the program passes. */
static struct drand48_data *family_at(unsigned short state[3])
{
    uint32_t site = step_into(state, 3 * sizeof *state);
    hd_check_access(state, 3 * sizeof *state, HD_OP_WRITE, site);
    hd_log_range(state, 3 * sizeof *state);
    hd_log_range(&model->family48, sizeof model->family48);
    return &model->family48;
}

#define OWN(type, name)                                                                          \
    type name(void)                                                                              \
    {                                                                                            \
        type value;                                                                              \
        REAL(int (*)(struct drand48_data *, type *), #name "_r")(family(), &value);              \
        return value;                                                                            \
    }
#define GIVEN(type, name)                                                                        \
    type name(unsigned short state[3])                                                           \
    {                                                                                            \
        type value;                                                                              \
        struct drand48_data *data = family_at(state);                                            \
        REAL(int (*)(unsigned short *, struct drand48_data *, type *), #name "_r")               \
        (state, data, &value);                                                                   \
        return value;                                                                            \
    }
OWN(double, drand48)
OWN(long, lrand48)
OWN(long, mrand48)
GIVEN(double, erand48)
GIVEN(long, nrand48)
GIVEN(long, jrand48)

void srand48(long seed)
{
    REAL(int (*)(long, struct drand48_data *), "srand48_r")(seed, family());
}

static unsigned short seed48_before[3]; /* what seed48() gives back */

unsigned short *seed48(unsigned short seed[3])
{
    struct drand48_data *data = family();
    REAL(int (*)(unsigned short *, struct drand48_data *), "seed48_r")(seed, data);
    hd_log_range(seed48_before, sizeof seed48_before);
    memcpy(seed48_before, data->__old_x, sizeof seed48_before);
    return seed48_before;
}

void lcong48(unsigned short parameters[7])
{
    REAL(int (*)(unsigned short *, struct drand48_data *), "lcong48_r")(parameters, family());
}

/* ---- from the kernel ---- */

ssize_t getrandom(void *buffer, size_t n, unsigned flags)
{
    (void)flags;
    struct hd_rng rng = { draw_into(buffer, (uint32_t)n) };
    hd_log_range(buffer, n);
    for (size_t i = 0; i < n; i += 8) {
        uint64_t v = hd_rng_next(&rng);
        hd_view_write(rt->cur, (char *)buffer + i, &v, n - i < 8 ? n - i : 8);
    }
    return (ssize_t)n;
}

int getentropy(void *buffer, size_t n) { return getrandom(buffer, n, 0) < 0 ? -1 : 0; }

/* Generators whose state is the program's: libc's functions on the program's memory.  The state
 * is where the structure says, with one word before it. */
static void announce(struct random_data *data, uint32_t site)
{
    __heddle_will_write(data, sizeof *data, site);
    struct random_data now;
    hd_view_load(rt->cur, data, &now, sizeof now);
    if (now.state)
        __heddle_will_write(now.state - 1,
                            (uint64_t)((char *)now.end_ptr - (char *)(now.state - 1)), site);
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
