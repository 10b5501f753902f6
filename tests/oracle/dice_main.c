/* oracle-dice: how often does slice-n-dice miss an assertion that fails in some interleaving?
 * Generated programs with assertions, judged by the interpreter.  A miss is counted; a failure
 * is
 *   - an assertion, deadlock or misuse that is reported and that no interleaving has,
 *   - a report whose trace does not replay,
 *   - the word `verified`,
 *   - a strategy that misses more than a tenth: it would not do what it is for. */
#include "frame.h"
#include "json.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: oracle-dice [options] HEDDLE PROGRAMS [FIRST_SEED]\n" ORC_FRAME_USAGE
    "  --most N        interleavings a program may have (3000)\n"
    "  --misses        list the programs of the misses\n";

#define BATCH 16 /* programs per executable: slice-n-dice tells 64 kinds of threads apart */

static const char *const strategies[] = { "slice-n-dice", "slice-n-dice:1" };
#define N_STRATEGIES 2

struct tally {
    uint64_t programs, reachable, failed;
    uint64_t reached[N_STRATEGIES], missed[N_STRATEGIES], others[N_STRATEGIES];
};

struct request {
    struct orc_frame frame;
    bool misses;
};

struct batch {
    struct orc_batch common;
    const struct request *q;
};

static bool asserts(const struct orc_program *p)
{
    for (uint32_t i = 0; i < p->n_stmts; i++)
        if (p->stmts[i].kind == ORC_ASSERT)
            return true;
    return false;
}

static bool any(const struct orc_program *p, const bool *flags)
{
    bool some = false;
    for (uint32_t i = 0; i < p->n_stmts; i++)
        some |= flags[i];
    return some;
}

static bool at_line(const struct orc_program *p, const bool *flags, uint64_t line)
{
    for (uint32_t i = 0; i < p->n_stmts; i++)
        if (flags[i] && p->stmts[i].line == line)
            return true;
    return false;
}

/* Is it in some interleaving? */
static bool is_real(const struct orc_program *p, const struct orc_result *r,
                    const char *violation)
{
    const char *kind = orc_json_member(violation, "kind");
    uint64_t line = orc_json_number(
        orc_json_member(orc_json_member(violation, "location"), "line"));
    if (orc_json_is(kind, "assertion"))
        return at_line(p, r->asserted, line);
    if (orc_json_is(kind, "misuse"))
        return at_line(p, r->misused, line);
    return orc_json_is(kind, "deadlock") && (r->deadlocks > 0 || r->circles);
}

static bool replays(struct batch *b, const char *violation)
{
    char path[600];
    const char *trace = orc_json_member(violation, "trace");
    size_t n = 0;
    while (trace && trace[n + 1] && trace[n + 1] != '"' && n + 1 < sizeof path)
        n++;
    if (n == 0)
        return false;
    snprintf(path, sizeof path, "%.*s", (int)n, trace + 1);
    char *argv[] = {
        (char *)(uintptr_t)b->q->frame.heddle, "replay", "-q", b->common.executable, path, NULL
    };
    struct orc_child c;
    orc_child_run(argv, b->common.errors, b->q->frame.seconds, &c);
    free(c.output);
    unlink(path);
    return c.status == 1;
}

static const char *wrong(struct batch *b, uint32_t i, uint32_t s, const struct orc_child *c,
                         struct tally *tally)
{
    const struct orc_program *p = &b->common.programs[i];
    const struct orc_result *r = &b->common.results[i];
    const char *root = orc_json_root(c->output), *verdict = orc_json_member(root, "verdict");
    const char *violation = orc_json_first(orc_json_member(root, "violations"));
    bool reachable = any(p, r->asserted);
    if (orc_json_is(verdict, "no-violation-found") && !violation && c->status == 0) {
        tally->missed[s] += reachable;
        if (reachable && b->q->misses)
            printf("missed by %s: seed %llu, %s, prog_%u\n", strategies[s],
                   (unsigned long long)p->seed, b->common.source, i);
        return NULL;
    }
    if (!orc_json_is(verdict, "violation") || !violation || c->status != 1)
        return "neither a violation nor no-violation-found";
    if (!is_real(p, r, violation))
        return "no interleaving has what it reports";
    if (!replays(b, violation))
        return "its trace does not replay";
    if (orc_json_is(orc_json_member(violation, "kind"), "assertion"))
        tally->reached[s]++;
    else
        tally->others[s] += reachable;
    return NULL;
}

static void try_program(struct batch *b, uint32_t i, struct tally *tally)
{
    char index[16];
    snprintf(index, sizeof index, "%u", i);
    tally->programs++;
    tally->reachable += any(&b->common.programs[i], b->common.results[i].asserted);
    for (uint32_t s = 0; s < N_STRATEGIES; s++) {
        char *argv[] = { (char *)(uintptr_t)b->q->frame.heddle,
                         "check",
                         "--strategy",
                         (char *)(uintptr_t)strategies[s],
                         "--races",
                         "off",
                         "--no-minimise",
                         "--json",
                         "-",
                         "--trace-dir",
                         b->common.traces,
                         b->common.executable,
                         "--",
                         index,
                         NULL };
        struct orc_child c;
        orc_batch_check(&b->common, argv, &c);
        const char *why = wrong(b, i, s, &c, tally);
        free(c.output);
        if (!why)
            continue;
        tally->failed++;
        printf("FAILED seed %llu: %s: %s\n    heddle check --strategy %s --races off %s -- %u\n",
               (unsigned long long)b->common.programs[i].seed, b->common.source, why,
               strategies[s], b->common.executable, i);
    }
    fflush(stdout);
}

static void run_batch(struct batch *b, struct tally *tally)
{
    struct orc_batch *c = &b->common;
    uint64_t failed = tally->failed;
    orc_batch_name(c, "dice", c->programs[0].seed);
    if (orc_batch_compile(c)) {
        for (uint32_t i = 0; i < c->n; i++)
            try_program(b, i, tally);
    } else {
        printf("FAILED: heddle cc does not compile %s, see %s\n", c->source, c->errors);
        tally->failed += c->n;
    }
    if (tally->failed == failed && !b->q->misses)
        orc_batch_remove(c);
    c->n = 0;
}

/* The programs with assertions from the first on; every job's share of the batches. */
static void run_share(void *self, uint32_t job, struct orc_server *server, void *tally)
{
    const struct request *q = self;
    const struct orc_frame *f = &q->frame;
    struct orc_lowered *lowered = orc_take(1, sizeof *lowered);
    struct batch b = { .q = q };
    struct orc_batch *c = &b.common;
    orc_batch_init(c, f, server, BATCH);
    uint64_t share = f->n / f->jobs + (job < f->n % f->jobs);
    for (uint64_t seed = f->first + job, done = 0; done < share; seed += f->jobs) {
        orc_generate(seed, &f->limits, &c->programs[c->n], lowered, &c->results[c->n]);
        if (!asserts(&c->programs[c->n]))
            continue;
        c->n++;
        done++;
        if (c->n == BATCH || done == share)
            run_batch(&b, tally);
    }
    orc_batch_release(c);
    free(lowered);
}

static int parse_option(void *self, const char *name, const char *value)
{
    struct request *q = self;
    (void)value;
    if (strcmp(name, "--misses") != 0)
        return 0;
    q->misses = true;
    return 1;
}

static void add(struct tally *sum, const struct tally *t)
{
    sum->programs += t->programs;
    sum->reachable += t->reachable;
    sum->failed += t->failed;
    for (uint32_t s = 0; s < N_STRATEGIES; s++) {
        sum->reached[s] += t->reached[s];
        sum->missed[s] += t->missed[s];
        sum->others[s] += t->others[s];
    }
}

static int report(const struct orc_frame *f, struct tally *t)
{
    for (uint32_t s = 0; s < N_STRATEGIES; s++)
        if (10 * t->missed[s] > t->reachable && t->missed[s] > 1) {
            t->failed++;
            printf("FAILED: %s misses more than a tenth\n", strategies[s]);
        }
    printf("# %llu programs with assertions; in %llu one fails in some interleaving\n",
           (unsigned long long)t->programs, (unsigned long long)t->reachable);
    for (uint32_t s = 0; s < N_STRATEGIES; s++)
        printf("# %-14s reached %llu, ended with another violation %llu, missed %llu (%.2f %%)\n",
               strategies[s], (unsigned long long)t->reached[s], (unsigned long long)t->others[s],
               (unsigned long long)t->missed[s],
               t->reachable ? 100.0 * (double)t->missed[s] / (double)t->reachable : 0.0);
    uint64_t runs = N_STRATEGIES * t->programs;
    printf("%llu passed, %llu failed\n", (unsigned long long)(runs - t->failed),
           (unsigned long long)t->failed);
    return t->programs == f->n ? t->failed > 0 : 2;
}

int main(int argc, char **argv)
{
    struct request q = { .frame = { .tool = "oracle-dice",
                                    .dir = "build/tests/oracle",
                                    .jobs = 2,
                                    .seconds = 300,
                                    .limits = { .most = 3000, .no_misuse = true } } };
    struct tally sum = { 0 };
    if (!orc_frame_parse(&q.frame, argc, argv, parse_option, &q)) {
        fputs(usage, stderr);
        return 2;
    }
    const struct tally *tallies = orc_frame_run(&q.frame, sizeof *tallies, run_share, &q);
    for (uint32_t j = 0; tallies && j < q.frame.jobs; j++)
        add(&sum, &tallies[j]);
    return tallies ? report(&q.frame, &sum) : 2;
}
