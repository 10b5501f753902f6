/* oracle-run: generated programs through heddle, and the answers against the interpreter's. */
#include "chains.h"
#include "frame.h"
#include "json.h"
#include "judge.h"
#include "presets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_STATES 100000   /* of a program with invariants */
#define MOST_OF_PRESET "200" /* executions of one that may miss anything */

static const char usage[] =
    "usage: oracle-run [options] HEDDLE PROGRAMS [FIRST_SEED]\n" ORC_FRAME_USAGE
    "  --batch N       programs per executable (100)\n"
    "  --most N        interleavings a program may have (20000)\n"
    "  --only CHAIN    test that --reduce alone\n"
    "  --rest          test all chains of heddle's tables that have no expectation of their own with every program\n"
    "  --finer F       programs for `heddle check --finer F', with the reductions that know it\n"
    "  --assumes       programs that assume something here and there\n"
    "  --sections      … that have atomic sections\n"
    "  --orders        … that have atomic accesses of all memory orders, and fences\n"
    "  --no-misuse     generate no lock misuse\n"
    "  --invariants    programs with invariants: are exactly the broken ones told?\n"
    "  --strategy FILE a strategy from outside that only orders, with every chain\n"
    "  --pruning FILE  one that prunes, without reductions: nothing is ever verified\n"
    "  --preset NAME   that preset of heddle's --strategy alone\n"
    "  --seconds N     that a check may take (300)\n";

/* The default is tried with every program, the other reductions by races in turn, the rest
 * with every eighth: more programs find more than more chains. */
/* A search, and no reduction. */
#define BEST_FIRST "best-first"
static const char *const heuristics[] = { "depth", "random", "blocked", "interleaving" };

static const struct orc_chain chains[] = {
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0xff, NULL, false, false, false, false },
    { "dpor,preemptions", ORC_COUNT_WITHIN, false, ORC_RACES_ALL, 0x12, NULL, false, false, false,
      false },
    { "dpor,preemptions", ORC_COUNT_WITHIN, false, ORC_RACES_ALL, 0x04, "2", false, false, false,
      false },
    { "source", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x55, NULL, false, false, false, false },
    { "dpor", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0xaa, NULL, false, false, false, false },
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0x11, "2", false, false, false, false },
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0x04, "3", false, false, false, false },
    { "source", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x02, "3", false, false, false, false },
    { "dpor", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x08, "2", false, false, false, false },
    { "dpor:plain", ORC_COUNT_REPEATS, true, ORC_RACES_ALL, 0x42, NULL, false, false, false,
      false },
    { "sleep", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x40, "3", false, false, false, false },
    { "none", ORC_COUNT_INTERLEAVINGS, true, ORC_RACES_ALL, 0x80, "4", false, false, false,
      false },
    { "none", ORC_COUNT_INTERLEAVINGS, true, ORC_RACES_ALL, 0x24, NULL, false, false, false,
      false },
    { "sleep", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x20, NULL, false, false, false, false },
    { "not-seen", ORC_COUNT_TRACES, true, ORC_RACES_ALL, 0x48, NULL, false, false, false, false },
    { BEST_FIRST, ORC_COUNT_STATES, true, ORC_RACES_ALL, 0x12, NULL, false, false, false, false },
    { "states", ORC_COUNT_STATES, true, ORC_RACES_ALL, 0x90, NULL, false, false, false, false },
    { "states,super-step", ORC_COUNT_STATES, true, ORC_RACES_SOME, 0x01, NULL, false, false,
      false, false },
    { "eager,super-step", ORC_COUNT_STATES, true, ORC_RACES_UNLESS_BROKEN, 0x02, NULL, false,
      false, false, false },
    { "hybrid", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x22, NULL, false, false, false, false },
    { "hybrid:hr", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x08, NULL, true, false, false, false },
    { "dpor-stateful", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x40, NULL, false, false, false,
      false },
    { "hr", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x04, NULL, true, false, false, false },
    { "hr-fields", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x80, NULL, true, false, false, false },
    { "super-step", ORC_COUNT_REPEATS, true, ORC_RACES_UNLESS_BROKEN, 0x04, NULL, false, false,
      false, false },
    { "not-seen,super-step", ORC_COUNT_RACES, true, ORC_RACES_UNLESS_BROKEN, 0x08, NULL, false,
      false, false, false },
    { "not-seen,local-cycle", ORC_COUNT_TRACES, true, ORC_RACES_ALL, 0x20, NULL, false, false,
      false, false },
    { "local-cycle,super-step", ORC_COUNT_REPEATS, true, ORC_RACES_UNLESS_BROKEN, 0x40, NULL,
      false, false, false, false },
    { "not-seen,local-cycle,super-step", ORC_COUNT_RACES, true, ORC_RACES_UNLESS_BROKEN, 0x82,
      NULL, false, false, false, false },
};

#define N_CHAINS (sizeof chains / sizeof *chains)

struct tally {
    uint64_t passed, failed, checks, executions;
};

struct request {
    struct orc_frame frame;
    const char *only, *finer;
    const char *strategy;           /* NULL: none */
    const struct orc_chain *preset; /* NULL: chains */
    bool prunes;                    /* it is one of those that are never verified */
    uint32_t batch;
    struct orc_chain *rest; /* what the tables of heddle allow, and no line above names */
    size_t n_rest;
    bool all_rest;
};

struct batch {
    struct orc_batch common;
    struct orc_broken *broken; /* by program; NULL: they have no invariants */
    const struct request *q;
    uint64_t first;
    bool all_accesses;
};

static void generate(struct batch *b)
{
    struct orc_lowered *lowered = orc_take(1, sizeof *lowered);
    for (uint32_t i = 0; i < b->common.n; i++) {
        struct orc_program *p = &b->common.programs[i];
        struct orc_result *r = &b->common.results[i];
        orc_generate(b->first + i, &b->q->frame.limits, p, lowered, r);
        if (b->broken && !orc_invariants_give(p, lowered, MOST_STATES, r, &b->broken[i])) {
            orc_generate(b->first + i, &b->q->frame.limits, p, lowered, r); /* without */
            memset(&b->broken[i], 0, sizeof b->broken[i]);
        }
    }
    free(lowered);
}

/* Every second batch with all accesses, as the interpreter sees them; in the others those that the
 * analysis shows to be one thread's own are no steps, so that interleavings are fewer, and so are
 * the traces that a failed assertion cuts off. */
static bool compile(struct batch *b)
{
    if (b->all_accesses)
        setenv("HEDDLE_ACCESSES", "all", 1);
    else
        unsetenv("HEDDLE_ACCESSES");
    return orc_batch_compile(&b->common);
}

/* Put the bound after the chain's name, and find out what there is within it; false: too much. */
static bool bound_of(const struct batch *b, uint32_t i, char *reduce, size_t size,
                     struct orc_result *within)
{
    static struct orc_lowered lowered;
    uint32_t bound = ORC_BOUND(b->first + i);
    size_t used = strlen(reduce);
    snprintf(reduce + used, size - used, ":%u", bound);
    if (!orc_lower(&b->common.programs[i], &lowered))
        return false;
    orc_brute_within(&lowered, b->q->frame.limits.most, bound, within);
    return !within->overflow;
}

/* With every second program a bound that no execution reaches: then all there is must be found. */
static enum orc_count some_bound(uint64_t seed, char *reduce, size_t size)
{
    size_t used = strlen(reduce);
    bool reached = seed % 2;
    snprintf(reduce + used, size - used, ":%u", reached ? ORC_BOUND(seed) : 10000u);
    return reached ? ORC_COUNT_BOUNDED : ORC_COUNT_PASSES;
}

/* What the chain's executions are counted as, for this program and these options. */
static void count_as(const struct batch *b, const struct orc_program *p,
                     const struct orc_chain *chain, struct orc_chain *counted)
{
    if (b->q->frame.limits.finer & ORC_FINER_OBSERVERS) {
        counted->count = ORC_COUNT_OBSERVERS;
        counted->unblocked = false;
    }
    if (!b->all_accesses && chain->count == ORC_COUNT_INTERLEAVINGS)
        counted->count = ORC_COUNT_REPEATS;
    else if (!b->all_accesses && chain->count == ORC_COUNT_TRACES)
        counted->count = ORC_COUNT_RACES;
    /* sections depend on steps that are none */
    if (!b->all_accesses && chain->count != ORC_COUNT_INCOMPLETE &&
        ((!p->joins_all && !p->exits[0]) || p->sections)) {
        if (counted->count != ORC_COUNT_WITHIN && counted->count != ORC_COUNT_PASSES &&
            counted->count != ORC_COUNT_BOUNDED)
            counted->count = ORC_COUNT_STATES;
        counted->fewer = true;
    }
}

/* A strategy that prunes has left out something, or could have. */
static bool never_verified(const char *output, FILE *why)
{
    const char *verdict = orc_json_member(orc_json_root(output), "verdict");
    bool ok = orc_json_is(verdict, "violation") || orc_json_is(verdict, "no-violation-found");
    if (!ok)
        fprintf(why, "    another verdict with a strategy that prunes: %.60s\n", output);
    return ok;
}

/* The option in front of the chain's: a strategy from outside, the heuristic of a search, or how
 * many executions a preset may have that has no end. */
static void option_before(const struct batch *b, uint32_t i, const struct orc_chain *chain,
                          char *text, size_t size)
{
    snprintf(text, size, "--keep-going");
    if (b->q->strategy) /* the argument is a seed */
        snprintf(text, size, "--strategy=%s:%u", b->q->strategy, i);
    else if (strcmp(chain->reduce, BEST_FIRST) == 0)
        snprintf(text, size, "--heuristic=%s", heuristics[i % 4]);
    else if (b->q->preset && chain->count == ORC_COUNT_INCOMPLETE)
        snprintf(text, size, "--executions=" MOST_OF_PRESET);
}

static bool try_chain(struct batch *b, uint32_t i, const struct orc_chain *chain,
                      struct tally *tally, FILE *why)
{
    static struct orc_result within;
    char index[16], reduce[96], strategy[512];
    const char *jobs = chain->jobs ? chain->jobs : "1";
    bool paranoid = i / 8 % 2; /* checks the invariants of what it takes */
    bool searches = strcmp(chain->reduce, BEST_FIRST) == 0;
    snprintf(index, sizeof index, "%u", i);
    snprintf(reduce, sizeof reduce, "%s", chain->reduce);
    if (b->q->strategy && chain->unsound) /* refused */
        return true;
    option_before(b, i, chain, strategy, sizeof strategy);
    struct orc_chain counted = *chain;
    const char *option = searches ? "--search" : b->q->preset ? "--strategy" : "--reduce";
    if (chain->count == ORC_COUNT_WITHIN && !bound_of(b, i, reduce, sizeof reduce, &within))
        return true;
    if (chain->count == ORC_COUNT_INCOMPLETE &&
        (strstr(reduce, "preempt") || strstr(reduce, "delays") || strstr(reduce, "chess")))
        some_bound(b->first + i, reduce, sizeof reduce);
    if (chain->count == ORC_COUNT_BOUNDED)
        counted.count = some_bound(b->first + i, reduce, sizeof reduce);
    char *argv[] = { (char *)(uintptr_t)b->q->frame.heddle,
                     "check",
                     strategy,
                     (char *)(uintptr_t)option,
                     reduce,
                     "--keep-going",
                     "--no-minimise",
                     "-j",
                     (char *)(uintptr_t)jobs,
                     (char *)(uintptr_t)(chain->unsound ? "--allow-unsound" : "--keep-going"),
                     (char *)(uintptr_t)(paranoid ? "--paranoid" : "--keep-going"),
                     (char *)(uintptr_t)(b->q->finer ? "--finer" : "--keep-going"),
                     (char *)(uintptr_t)(b->q->finer ? b->q->finer : "--keep-going"),
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
    count_as(b, &b->common.programs[i], chain, &counted);
    uint64_t executions = orc_json_number(orc_json_member(orc_json_root(c.output), "executions"));
    tally->checks++;
    tally->executions += executions < UINT64_MAX ? executions : 0;
    bool ok = b->q->prunes ? never_verified(c.output, why)
              : b->broken  ? orc_judge_invariants(&counted, i, &b->common.results[i],
                                                  &b->broken[i], c.output, c.status, why)
                           : orc_judge(&counted, &b->common.programs[i], &b->common.results[i],
                                       &within, c.output, c.status, why);
    if (!ok)
        fprintf(why, "    heddle check %s %s %s%s%s --keep-going -j %s%s --json - %s -- %u\n",
                strategy, option, reduce, b->q->finer ? " --finer " : "",
                b->q->finer ? b->q->finer : "", jobs, paranoid ? " --paranoid" : "",
                b->common.executable, i);
    free(c.output);
    return ok;
}

/* Reductions by races, or by sleep sets, without a bound; with observers `optimal` alone. */
static bool knows_finer(const struct orc_chain *chain, uint8_t finer)
{
    if (finer & ORC_FINER_OBSERVERS && (strcmp(chain->reduce, "optimal") != 0 || chain->jobs))
        return false;
    return chain->count == ORC_COUNT_RACES && !strstr(chain->reduce, "not-seen");
}

static void try_program(struct batch *b, uint32_t i, struct tally *tally)
{
    char *text = NULL;
    size_t n = 0;
    bool ok = true;
    const struct orc_result *r = &b->common.results[i];
    FILE *why = open_memstream(&text, &n);
    if (!why) {
        perror("oracle-run");
        exit(2);
    }
    if (b->q->preset && !(r->large && b->q->preset->unreduced)) {
        fprintf(why, "  --strategy %s\n", b->q->preset->reduce);
        ok &= try_chain(b, i, b->q->preset, tally, why);
    }
    for (size_t c = 0; c < N_CHAINS && !b->q->preset; c++) {
        if (b->q->only ? strcmp(b->q->only, chains[c].reduce) != 0
                       : !b->q->prunes && !(chains[c].turn >> (b->first + i) % 8 & 1))
            continue;
        if (b->q->strategy && (chains[c].jobs || strcmp(chains[c].reduce, BEST_FIRST) == 0 ||
                               (b->q->prunes && strcmp(chains[c].reduce, "none"))))
            continue;
        if (b->q->finer && !knows_finer(&chains[c], b->q->frame.limits.finer))
            continue;
        if (r->large && chains[c].count == ORC_COUNT_INTERLEAVINGS)
            continue;
        if (chains[c].count == ORC_COUNT_WITHIN && b->common.programs[i].undoes)
            continue; /* heddle leaves a thread freely that gives up in its next step */
        fprintf(why, "  --reduce %s -j %s\n", chains[c].reduce,
                chains[c].jobs ? chains[c].jobs : "1");
        ok &= try_chain(b, i, &chains[c], tally, why);
    }
    /* Of the chains that have no line above, one with each program. */
    for (size_t c = 0; c < b->q->n_rest && !b->q->finer && !b->q->prunes && !b->q->preset; c++) {
        const struct orc_chain *chain = &b->q->rest[c];
        if (b->q->only ? strcmp(b->q->only, chain->reduce) != 0
                       : !b->q->all_rest && (b->first + i) % b->q->n_rest != c)
            continue;
        if ((chain->count == ORC_COUNT_WITHIN && b->common.programs[i].undoes) ||
            (r->large && chain->unreduced))
            continue;
        fprintf(why, "  --reduce %s\n", chain->reduce);
        ok &= try_chain(b, i, chain, tally, why);
    }
    fclose(why);
    if (!ok)
        printf("FAILED seed %llu: %s, prog_%u; %llu interleavings, %llu traces\n%s",
               (unsigned long long)(b->first + i), b->common.source, i,
               (unsigned long long)r->interleavings, (unsigned long long)r->traces, text);
    fflush(stdout);
    free(text);
    *(ok ? &tally->passed : &tally->failed) += 1;
}

static void run_batch(const struct request *q, struct orc_server *server, uint64_t first,
                      uint32_t n, struct tally *tally)
{
    struct batch b = { .q = q, .first = first, .all_accesses = first / q->batch % 2 == 0 };
    uint64_t failed = tally->failed;
    orc_batch_init(&b.common, &q->frame, server, n);
    if (q->frame.limits.invariants)
        b.broken = orc_take(n, sizeof *b.broken);
    b.common.n = n;
    orc_batch_name(&b.common, "seed", first);
    generate(&b);
    if (compile(&b)) {
        for (uint32_t i = 0; i < n; i++)
            try_program(&b, i, tally);
    } else {
        printf("FAILED seeds %llu to %llu: heddle cc does not compile %s, see %s\n",
               (unsigned long long)first, (unsigned long long)first + n - 1, b.common.source,
               b.common.errors);
        fflush(stdout);
        tally->failed += n;
    }
    if (tally->failed == failed)
        orc_batch_remove(&b.common);
    orc_batch_release(&b.common);
    free(b.broken);
}

static void run_share(void *self, uint32_t job, struct orc_server *server, void *tally)
{
    const struct request *q = self;
    uint32_t turn = 0;
    for (uint64_t at = 0; at < q->frame.n; at += q->batch)
        if (turn++ % q->frame.jobs == job) {
            uint64_t n = q->frame.n - at < q->batch ? q->frame.n - at : q->batch;
            run_batch(q, server, q->frame.first + at, (uint32_t)n, tally);
        }
}

static int parse_option(void *self, const char *name, const char *v)
{
    struct request *q = self;
    if (!strcmp(name, "--no-misuse")) {
        q->frame.limits.no_misuse = true;
        return 1;
    }
    if (!strcmp(name, "--assumes") || !strcmp(name, "--sections")) {
        *(name[2] == 'a' ? &q->frame.limits.assumes : &q->frame.limits.sections) = true;
        return 1;
    }
    if (!strcmp(name, "--orders")) {
        q->frame.limits.orders = true;
        return 1;
    }
    if (!strcmp(name, "--invariants")) {
        q->frame.limits.invariants = true;
        return 1;
    }
    if (!strcmp(name, "--rest")) {
        q->all_rest = true;
        return 1;
    }
    if (v && (!strcmp(name, "--strategy") || !strcmp(name, "--pruning"))) {
        q->strategy = v;
        q->prunes = name[2] == 'p';
        return 2;
    }
    if (!v)
        return 0;
    if (!strcmp(name, "--preset")) {
        q->preset = orc_preset(v);
        if (!q->preset)
            printf("nothing is expected of the preset %s: add it to presets.c\n", v);
        return q->preset ? 2 : 0;
    }
    if (!strcmp(name, "--batch"))
        q->batch = (uint32_t)strtoul(v, NULL, 10);
    else if (!strcmp(name, "--only"))
        q->only = v;
    else if (!strcmp(name, "--seconds"))
        q->frame.seconds = atoi(v);
    else if (!strcmp(name, "--finer") && orc_finer_by_name(v)) {
        q->finer = v;
        q->frame.limits.finer = orc_finer_by_name(v);
    } else
        return 0;
    return 2;
}

int main(int argc, char **argv)
{
    struct request q = { .batch = 100,
                         .frame = { .tool = "oracle-run",
                                    .dir = "build/tests/oracle",
                                    .jobs = 2,
                                    .seconds = 300,
                                    .limits = { .most = ORC_DEFAULT_MOST } } };
    if (!orc_frame_parse(&q.frame, argc, argv, parse_option, &q) || !q.batch) {
        fputs(usage, stderr);
        return 2;
    }
    q.rest = orc_chains_rest(chains, N_CHAINS, &q.n_rest);
    const struct tally *tallies = orc_frame_run(&q.frame, sizeof *tallies, run_share, &q);
    struct tally sum = { 0 };
    for (uint32_t j = 0; tallies && j < q.frame.jobs; j++) {
        sum.checks += tallies[j].checks;
        sum.executions += tallies[j].executions;
        sum.passed += tallies[j].passed;
        sum.failed += tallies[j].failed;
    }
    free(q.rest);
    printf("# %llu checks, %llu executions\n%llu passed, %llu failed\n",
           (unsigned long long)sum.checks, (unsigned long long)sum.executions,
           (unsigned long long)sum.passed, (unsigned long long)sum.failed);
    return sum.passed + sum.failed == q.frame.n ? sum.failed > 0 : 2;
}
