#include "gen.h"

#include "../rng.h"

#include <stdbool.h>
#include <string.h>

struct maker {
    struct orc_rng rng;
    FILE *out;
    uint32_t features;
    uint32_t locations; /* x0, x1, …: atomic, unless mixed */
    bool mixed;         /* plain accesses of the same locations, so races are likely */
    bool guarded;       /* a plain location p, accessed under a mutex or behind a flag */
    uint32_t newest;    /* the location of the thread's newest access */
    uint32_t reg;       /* the next free register of the thread */
    int32_t left;       /* events that the thread may still have */
    uint32_t depth;
};

static uint32_t below(struct maker *m, uint32_t n) { return orc_rng_below(&m->rng, n); }
static bool percent(struct maker *m, uint32_t p) { return orc_rng_percent(&m->rng, p); }
static bool has(const struct maker *m, uint32_t feature) { return m->features & feature; }

/* The last registers are used again where a thread needs more. */
static uint32_t fresh(struct maker *m) { return m->reg < 15 ? m->reg++ : 15; }

static const char *order(struct maker *m, const char *const *orders, uint32_t n)
{
    return orders[below(m, has(m, AX_HAS_SEQ_CST) ? n : n - 1)];
}

static const char *load_order(struct maker *m)
{
    static const char *const o[] = { "relaxed", "acquire", "seq_cst" };
    return m->mixed && percent(m, 30) ? "plain" : order(m, o, 3);
}

static const char *store_order(struct maker *m)
{
    static const char *const o[] = { "relaxed", "release", "seq_cst" };
    return m->mixed && percent(m, 30) ? "plain" : order(m, o, 3);
}

static const char *rmw_order(struct maker *m)
{
    static const char *const o[] = { "relaxed", "acquire", "release", "acq_rel", "seq_cst" };
    return order(m, o, 5);
}

/* An order of a failure that C17 allows: no stronger than that of the success. */
static const char *failure_order(struct maker *m, const char *success)
{
    if (!strcmp(success, "seq_cst") && percent(m, 40))
        return "seq_cst";
    bool acquires = strcmp(success, "relaxed") && strcmp(success, "release");
    return acquires && percent(m, 50) ? "acquire" : "relaxed";
}

/* Weak behaviour takes two locations: mostly another one than the last. */
static uint32_t location(struct maker *m)
{
    uint32_t x = below(m, m->locations);
    if (x == m->newest && percent(m, 65))
        x = (x + 1) % m->locations;
    return m->newest = x;
}

static void line(struct maker *m) { fprintf(m->out, "%*s", 4 + 4 * (int)m->depth, ""); }

/* A small number, or a register that has been assigned, or the sum of the two. */
static void value(struct maker *m, char *to, size_t size)
{
    if (has(m, AX_HAS_BRANCH) && m->reg > 0 && percent(m, 25)) {
        uint32_t from = below(m, m->reg);
        if (percent(m, 50) && m->reg < 15) {
            uint32_t sum = fresh(m);
            line(m);
            fprintf(m->out, "r%u = r%u + %u\n", sum, from, 1 + below(m, 2));
            from = sum;
        }
        snprintf(to, size, "r%u", from);
    } else {
        snprintf(to, size, "%u", 1 + below(m, 3));
    }
}

static void access(struct maker *m)
{
    char v[16];
    m->left--;
    if (percent(m, 50)) {
        value(m, v, sizeof v);
        line(m);
        fprintf(m->out, "store x%u %s %s\n", location(m), v, store_order(m));
    } else {
        line(m);
        fprintf(m->out, "r%u = load x%u %s\n", fresh(m), location(m), load_order(m));
    }
}

static void rmw(struct maker *m)
{
    static const char *const names[] = { "add", "xchg", "cas", "weak" };
    char v[16];
    uint32_t which = below(m, has(m, AX_HAS_WEAK) ? 4 : 3), place = location(m);
    const char *o = rmw_order(m);
    m->left--;
    value(m, v, sizeof v);
    line(m);
    fprintf(m->out, "r%u = %s x%u ", fresh(m), names[which], place);
    if (which < 2)
        fprintf(m->out, "%s %s\n", v, o);
    else
        fprintf(m->out, "%u %s %s %s\n", below(m, 3), v, o, failure_order(m, o));
}

static void fence(struct maker *m)
{
    static const char *const o[] = { "acquire", "release", "acq_rel", "seq_cst", "seq_cst" };
    m->left--;
    line(m);
    fprintf(m->out, "fence %s\n", has(m, AX_HAS_SEQ_CST) ? o[below(m, 5)] : o[below(m, 3)]);
}

static void statement(struct maker *m);

static void block(struct maker *m, uint32_t n)
{
    m->depth++;
    for (uint32_t i = 0; i < n; i++)
        statement(m);
    m->depth--;
}

static void branch(struct maker *m)
{
    if (m->reg == 0 || m->depth > 1) {
        access(m);
        return;
    }
    line(m);
    fprintf(m->out, "if r%u %s %u\n", below(m, m->reg),
            percent(m, 60) ? "==" : "!=", below(m, 3));
    block(m, 1 + below(m, 2));
    if (percent(m, 40)) {
        line(m);
        fprintf(m->out, "else\n");
        block(m, 1);
    }
    line(m);
    fprintf(m->out, "end\n");
}

static void guarded_access(struct maker *m)
{
    line(m);
    if (percent(m, 50))
        fprintf(m->out, "r%u = load p plain\n", fresh(m));
    else
        fprintf(m->out, "store p %u plain\n", 1 + below(m, 3));
    m->left--;
}

/* What stands between lock and unlock never locks: the mutexes are not recursive. */
static void protected(struct maker *m)
{
    uint32_t features = m->features;
    m->features &= ~(uint32_t)(AX_HAS_MUTEX | AX_HAS_SEM | AX_HAS_COND);
    m->depth++;
    if (m->guarded && percent(m, 70))
        guarded_access(m);
    else
        access(m);
    if (percent(m, 40))
        statement(m);
    m->depth--;
    m->features = features;
}

static void section(struct maker *m)
{
    m->left -= 2;
    if (percent(m, 30)) {
        uint32_t r = fresh(m);
        line(m);
        fprintf(m->out, "r%u = trylock m\n", r);
        line(m);
        fprintf(m->out, "if r%u == 1\n", r);
        protected(m);
        m->depth++;
        line(m);
        fprintf(m->out, "unlock m\n");
        m->depth--;
        line(m);
        fprintf(m->out, "end\n");
        return;
    }
    line(m);
    fprintf(m->out, "lock m\n");
    protected(m);
    line(m);
    fprintf(m->out, "unlock m\n");
}

static void semaphore(struct maker *m)
{
    uint32_t which = below(m, 5);
    m->left--;
    line(m);
    if (which < 2)
        fprintf(m->out, "post s\n");
    else if (which < 4)
        fprintf(m->out, "wait s\n");
    else
        fprintf(m->out, "r%u = trywait s\n", fresh(m));
}

static void condition(struct maker *m)
{
    if (percent(m, 50)) {
        m->left--;
        line(m);
        fprintf(m->out, "%s c\n", percent(m, 70) ? "signal" : "broadcast");
        return;
    }
    uint32_t r = fresh(m);
    m->left -= 4;
    line(m);
    fprintf(m->out, "lock m\n");
    line(m);
    fprintf(m->out, "r%u = load x%u relaxed\n", r, below(m, m->locations));
    line(m);
    fprintf(m->out, "if r%u == 0\n%*scwait c m\n", r, 8 + 4 * (int)m->depth, "");
    line(m);
    fprintf(m->out, "end\n");
    line(m);
    fprintf(m->out, "unlock m\n");
}

/* One side of the publication of p by the flag f, with orders that may be too weak. */
static void publish(struct maker *m)
{
    bool fenced = has(m, AX_HAS_FENCE) && percent(m, 40);
    m->left -= 2;
    line(m);
    if (percent(m, 50)) {
        fprintf(m->out, "store p %u plain\n", 1 + below(m, 3));
        line(m);
        if (fenced) {
            fprintf(m->out, "fence release\n");
            line(m);
        }
        fprintf(m->out, "store f 1 %s\n", fenced || percent(m, 20) ? "relaxed" : "release");
        return;
    }
    uint32_t r = fresh(m);
    fprintf(m->out, "r%u = load f %s\n", r, fenced || percent(m, 20) ? "relaxed" : "acquire");
    line(m);
    fprintf(m->out, "if r%u == 1\n", r);
    m->depth++;
    line(m);
    if (fenced) {
        fprintf(m->out, "fence acquire\n");
        line(m);
    }
    fprintf(m->out, "r%u = load p plain\n", fresh(m));
    m->depth--;
    line(m);
    fprintf(m->out, "end\n");
}

static void barrier(struct maker *m)
{
    m->left -= 2;
    line(m);
    fprintf(m->out, "arrive b\n");
}

static void statement(struct maker *m)
{
    static const struct {
        uint32_t feature, weight;
        void (*make)(struct maker *);
    } kinds[] = {
        { 0, 40, access },
        { AX_HAS_RMW, 20, rmw },
        { AX_HAS_FENCE, 15, fence },
        { AX_HAS_BRANCH, 12, branch },
        { AX_HAS_MUTEX, 20, section },
        { AX_HAS_SEM, 15, semaphore },
        { AX_HAS_COND, 40, condition },
        { AX_HAS_PLAIN, 12, publish },
        { AX_HAS_BARRIER, 25, barrier },
    };
    uint32_t sum = 0;
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        sum += !kinds[i].feature || has(m, kinds[i].feature) ? kinds[i].weight : 0;
    uint32_t at = below(m, sum);
    for (uint32_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (kinds[i].feature && !has(m, kinds[i].feature))
            continue;
        if (at < kinds[i].weight) {
            kinds[i].make(m);
            return;
        }
        at -= kinds[i].weight;
    }
}

static uint32_t some_features(struct maker *m, uint32_t allowed)
{
    uint32_t f = 0;
    for (uint32_t bit = 1; bit <= AX_HAS_BARRIER; bit <<= 1) {
        uint32_t chance = bit == AX_HAS_SEM || bit == AX_HAS_WEAK      ? 15
                          : bit == AX_HAS_MUTEX || bit == AX_HAS_PLAIN ? 35
                                                                       : 55;
        if ((allowed & bit & ~(uint32_t)AX_HAS_CYCLE) && percent(m, chance))
            f |= bit;
    }
    if (f & AX_HAS_COND)
        f |= AX_HAS_MUTEX & allowed;
    return f & AX_HAS_MUTEX ? f : f & ~(uint32_t)AX_HAS_COND;
}

void ax_generate(const struct ax_gen *how, FILE *out)
{
    struct maker m = { .out = out };
    orc_rng_seed(&m.rng, how->seed);
    if ((how->features & AX_HAS_CYCLE) && percent(&m, 33)) {
        ax_generate_cycle(how, out);
        return;
    }
    m.features = some_features(&m, how->features);
    m.locations = percent(&m, 10) || how->locations == 1 ? 1 : 2 + below(&m, how->locations - 1);
    m.mixed = (has(&m, AX_HAS_PLAIN) && percent(&m, 35)) || how->features & AX_HAS_RACES;
    m.guarded = has(&m, AX_HAS_PLAIN);
    fprintf(out, "# seed %llu\nloc", (unsigned long long)how->seed);
    for (uint32_t i = 0; i < m.locations; i++)
        fprintf(out, " x%u", i);
    fprintf(out, "%s\n", m.guarded ? " p f" : "");
    if (has(&m, AX_HAS_MUTEX))
        fprintf(out, "mutex m\n");
    if (has(&m, AX_HAS_SEM))
        fprintf(out, "sem s=%u\n", below(&m, 2));
    if (has(&m, AX_HAS_COND))
        fprintf(out, "cond c\n");
    if (has(&m, AX_HAS_BARRIER))
        fprintf(out, "barrier b=%u\n", percent(&m, 10) ? 1 : 2 + below(&m, 2));
    uint32_t threads = 2 + (how->threads > 2 ? below(&m, how->threads - 1) : 0);
    for (uint32_t t = 0; t < threads; t++) {
        fprintf(out, "thread\n");
        m.reg = 0;
        m.newest = m.locations;
        m.left = (int32_t)(how->events - below(&m, 1 + how->events / 2));
        while (m.left > 0)
            statement(&m);
    }
}

uint32_t ax_feature(const char *name)
{
    static const char *const names[] = {
        "rmw",   "weak", "fence", "seq_cst", "branch",  "plain",
        "mutex", "sem",  "cond",  "cycle",   "barrier", "races"
    };
    for (uint32_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(name, names[i]))
            return 1u << i;
    return strcmp(name, "all") ? 0 : AX_HAS_ALL;
}
