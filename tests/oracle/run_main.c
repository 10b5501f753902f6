/* oracle-run: generated programs through heddle, and the answers against the interpreter's. */
#include "child.h"
#include "gen.h"
#include "json.h"
#include "judge.h"
#include "render.h"
#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char usage[] =
    "usage: oracle-run [options] HEDDLE PROGRAMS [FIRST_SEED]\n"
    "  --dir DIR       where the C files and executables go (build/tests/oracle)\n"
    "  --batch N       programs per executable (100)\n"
    "  --jobs N        processes (2)\n"
    "  --serve PROGRAM does the checks without starting heddle for each (build/tests/oracle-serve)\n"
    "  --most N        interleavings a program may have (20000)\n"
    "  --only CHAIN    test that --reduce alone\n"
    "  --finer F       programs for `heddle check --finer F', with the reductions that know it\n"
    "  --no-misuse     generate no lock misuse\n"
    "  --seconds N     that a check may take (300)\n";

/* The default is tried with every program, the other reductions by races in turn, the rest
 * with every eighth: more programs find more than more chains. */
static const struct orc_chain chains[] = {
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0xff, NULL, false, false },
    { "dpor,preemptions", ORC_COUNT_WITHIN, false, ORC_RACES_ALL, 0x12, NULL, false, false },
    { "dpor,preemptions", ORC_COUNT_WITHIN, false, ORC_RACES_ALL, 0x04, "2", false, false },
    { "source", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x55, NULL, false, false },
    { "dpor", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0xaa, NULL, false, false },
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0x11, "2", false, false },
    { "optimal", ORC_COUNT_RACES, true, ORC_RACES_ALL, 0x04, "3", false, false },
    { "source", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x02, "3", false, false },
    { "dpor", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x08, "2", false, false },
    { "sleep", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x40, "2", false, false },
    { "none", ORC_COUNT_INTERLEAVINGS, true, ORC_RACES_ALL, 0x80, "2", false, false },
    { "none", ORC_COUNT_INTERLEAVINGS, true, ORC_RACES_ALL, 0x24, NULL, false, false },
    { "sleep", ORC_COUNT_RACES, false, ORC_RACES_ALL, 0x20, NULL, false, false },
    { "not-seen", ORC_COUNT_TRACES, true, ORC_RACES_ALL, 0x48, NULL, false, false },
    { "states", ORC_COUNT_STATES, true, ORC_RACES_ALL, 0x90, NULL, false, false },
    { "states,super-step", ORC_COUNT_STATES, true, ORC_RACES_SOME, 0x01, NULL, false, false },
    { "eager,super-step", ORC_COUNT_STATES, true, ORC_RACES_UNLESS_BROKEN, 0x02, NULL, false,
      false },
    { "hybrid", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x22, NULL, false, false },
    { "hybrid:hr", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x08, NULL, true, false },
    { "dpor-stateful", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x40, NULL, false, false },
    { "hr", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x04, NULL, true, false },
    { "hr-fields", ORC_COUNT_PASSES, true, ORC_RACES_ALL, 0x80, NULL, true, false },
    { "super-step", ORC_COUNT_REPEATS, true, ORC_RACES_UNLESS_BROKEN, 0x04, NULL, false, false },
    { "not-seen,super-step", ORC_COUNT_RACES, true, ORC_RACES_UNLESS_BROKEN, 0x08, NULL, false,
      false },
    { "not-seen,local-cycle", ORC_COUNT_TRACES, true, ORC_RACES_ALL, 0x20, NULL, false, false },
    { "local-cycle,super-step", ORC_COUNT_REPEATS, true, ORC_RACES_UNLESS_BROKEN, 0x40, NULL,
      false, false },
    { "not-seen,local-cycle,super-step", ORC_COUNT_RACES, true, ORC_RACES_UNLESS_BROKEN, 0x82,
      NULL, false, false },
};

struct tally {
    uint64_t passed, failed, checks, executions;
};

struct request {
    const char *heddle, *dir, *only, *serve, *finer;
    uint64_t n, first;
    uint32_t batch, jobs;
    int seconds;
    struct orc_limits limits;
};

struct batch {
    const struct request *q;
    uint32_t n;
    uint64_t first;
    struct orc_program *programs;
    struct orc_result *results;
    struct orc_server *server; /* or NULL */
    char source[512], executable[512], errors[512], traces[512], output[512];
    bool all_accesses;
};

static void *take(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fputs("oracle-run: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

static void die(const char *what, const char *name)
{
    fprintf(stderr, "oracle-run: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

static void generate(struct batch *b)
{
    struct orc_lowered *lowered = take(1, sizeof *lowered);
    for (uint32_t i = 0; i < b->n; i++)
        orc_generate(b->first + i, &b->q->limits, &b->programs[i], lowered, &b->results[i]);
    free(lowered);
    FILE *out = fopen(b->source, "w");
    if (!out || !orc_render(b->programs, b->n, out) || fclose(out))
        die("cannot write", b->source);
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
    char *argv[] = {
        (char *)(uintptr_t)b->q->heddle, "cc", "-o", b->executable, b->source, NULL
    };
    struct orc_child c;
    orc_child_run(argv, b->errors, b->q->seconds, &c);
    free(c.output);
    return c.status == 0;
}

/* Put the bound behind the chain's name, and find out what there is within it; false: too much. */
static bool bound_of(const struct batch *b, uint32_t i, char *reduce, size_t size,
                     struct orc_result *within)
{
    static struct orc_lowered lowered;
    uint32_t bound = ORC_BOUND(b->first + i);
    size_t used = strlen(reduce);
    snprintf(reduce + used, size - used, ":%u", bound);
    if (!orc_lower(&b->programs[i], &lowered))
        return false;
    orc_brute_within(&lowered, b->q->limits.most, bound, within);
    return !within->overflow;
}

static bool try_chain(struct batch *b, uint32_t i, const struct orc_chain *chain,
                      struct tally *tally, FILE *why)
{
    static struct orc_result within;
    char index[16], reduce[64];
    const char *jobs = chain->jobs ? chain->jobs : "1";
    snprintf(index, sizeof index, "%u", i);
    snprintf(reduce, sizeof reduce, "%s", chain->reduce);
    if (chain->count == ORC_COUNT_WITHIN && !bound_of(b, i, reduce, sizeof reduce, &within))
        return true;
    char *argv[] = { (char *)(uintptr_t)b->q->heddle,
                     "check",
                     "--reduce",
                     reduce,
                     "--keep-going",
                     "--no-minimise",
                     "-j",
                     (char *)(uintptr_t)jobs,
                     (char *)(uintptr_t)(chain->jobs ? "--paranoid" : "--keep-going"),
                     (char *)(uintptr_t)(b->q->finer ? "--finer" : "--keep-going"),
                     (char *)(uintptr_t)(b->q->finer ? b->q->finer : "--keep-going"),
                     "--json",
                     "-",
                     "--trace-dir",
                     b->traces,
                     b->executable,
                     "--",
                     index,
                     NULL };
    struct orc_child c;
    if (b->server)
        orc_server_run(b->server, argv, b->executable, b->output, b->errors, b->q->seconds, &c);
    else
        orc_child_run(argv, b->errors, b->q->seconds, &c);
    struct orc_chain counted = *chain;
    if (!b->all_accesses && chain->count == ORC_COUNT_INTERLEAVINGS)
        counted.count = ORC_COUNT_REPEATS;
    else if (!b->all_accesses && chain->count == ORC_COUNT_TRACES)
        counted.count = ORC_COUNT_RACES;
    if (!b->all_accesses && !b->programs[i].joins_all && !b->programs[i].exits[0]) {
        if (counted.count != ORC_COUNT_WITHIN && counted.count != ORC_COUNT_PASSES)
            counted.count = ORC_COUNT_STATES;
        counted.fewer = true;
    }
    uint64_t executions = orc_json_number(orc_json_member(orc_json_root(c.output), "executions"));
    tally->checks++;
    tally->executions += executions < UINT64_MAX ? executions : 0;
    bool ok = orc_judge(&counted, &b->programs[i], &b->results[i], &within, c.output, c.status,
                        why);
    if (!ok)
        fprintf(why, "    heddle check --reduce %s%s%s --keep-going -j %s%s --json - %s -- %u\n",
                reduce, b->q->finer ? " --finer " : "", b->q->finer ? b->q->finer : "", jobs,
                chain->jobs ? " --paranoid" : "", b->executable, i);
    free(c.output);
    return ok;
}

/* Reductions by races, or by sleep sets, without a bound. */
static bool knows_finer(const struct orc_chain *chain)
{
    return chain->count == ORC_COUNT_RACES && !strstr(chain->reduce, "not-seen");
}

static void try_program(struct batch *b, uint32_t i, struct tally *tally)
{
    char *text = NULL;
    size_t n = 0;
    bool ok = true;
    FILE *why = open_memstream(&text, &n);
    if (!why)
        die("cannot keep", "messages");
    for (size_t c = 0; c < sizeof chains / sizeof *chains; c++) {
        if (b->q->only ? strcmp(b->q->only, chains[c].reduce) != 0
                       : !(chains[c].turn >> (b->first + i) % 8 & 1))
            continue;
        if (b->q->finer && !knows_finer(&chains[c]))
            continue;
        if (b->results[i].large && chains[c].count == ORC_COUNT_INTERLEAVINGS)
            continue;
        fprintf(why, "  --reduce %s -j %s\n", chains[c].reduce,
                chains[c].jobs ? chains[c].jobs : "1");
        ok &= try_chain(b, i, &chains[c], tally, why);
    }
    fclose(why);
    if (!ok)
        printf("FAILED seed %llu: %s, prog_%u; %llu interleavings, %llu traces\n%s",
               (unsigned long long)(b->first + i), b->source, i,
               (unsigned long long)b->results[i].interleavings,
               (unsigned long long)b->results[i].traces, text);
    fflush(stdout);
    free(text);
    *(ok ? &tally->passed : &tally->failed) += 1;
}

static void run_batch(const struct request *q, struct orc_server *server, uint64_t first,
                      uint32_t n, struct tally *tally)
{
    struct batch b = { .q = q, .server = server, .n = n, .first = first };
    b.all_accesses = first / q->batch % 2 == 0;
    unsigned long long name = (unsigned long long)first;
    snprintf(b.source, sizeof b.source, "%s/seed%llu.c", q->dir, name);
    snprintf(b.executable, sizeof b.executable, "%s/seed%llu", q->dir, name);
    snprintf(b.errors, sizeof b.errors, "%s/seed%llu.err", q->dir, name);
    snprintf(b.traces, sizeof b.traces, "%s/seed%llu.traces", q->dir, name);
    snprintf(b.output, sizeof b.output, "%s/seed%llu.json", q->dir, name);
    unlink(b.errors);
    b.programs = take(n, sizeof *b.programs);
    b.results = take(n, sizeof *b.results);
    generate(&b);
    uint64_t failed = tally->failed;
    if (compile(&b)) {
        for (uint32_t i = 0; i < n; i++)
            try_program(&b, i, tally);
    } else {
        printf("FAILED seeds %llu to %llu: heddle cc does not compile %s, see %s\n", name,
               name + n - 1, b.source, b.errors);
        fflush(stdout);
        tally->failed += n;
    }
    if (tally->failed == failed) {
        unlink(b.executable);
        unlink(b.source);
        unlink(b.errors);
        unlink(b.output);
    }
    free(b.programs);
    free(b.results);
}

static void run_share(const struct request *q, uint32_t job, struct tally *tally)
{
    uint32_t turn = 0;
    struct orc_server server;
    if (q->serve)
        orc_server_start(&server, q->serve);
    for (uint64_t at = 0; at < q->n; at += q->batch)
        if (turn++ % q->jobs == job) {
            uint64_t n = q->n - at < q->batch ? q->n - at : q->batch;
            run_batch(q, q->serve ? &server : NULL, q->first + at, (uint32_t)n, tally);
        }
    if (q->serve)
        orc_server_stop(&server);
}

static bool parse_option(struct request *q, const char *name, const char *v)
{
    if (!strcmp(name, "--dir"))
        q->dir = v;
    else if (!strcmp(name, "--batch"))
        q->batch = (uint32_t)strtoul(v, NULL, 10);
    else if (!strcmp(name, "--jobs"))
        q->jobs = (uint32_t)strtoul(v, NULL, 10);
    else if (!strcmp(name, "--most"))
        q->limits.most = strtoull(v, NULL, 10);
    else if (!strcmp(name, "--serve"))
        q->serve = v;
    else if (!strcmp(name, "--only"))
        q->only = v;
    else if (!strcmp(name, "--finer") && !strcmp(v, "rmw")) {
        q->finer = v;
        q->limits.finer = ORC_FINER_RMW;
    } else if (!strcmp(name, "--seconds"))
        q->seconds = atoi(v);
    else
        return false;
    return true;
}

static bool parse(int argc, char **argv, struct request *q)
{
    int plain = 0;
    *q = (struct request){ .dir = "build/tests/oracle",
                           .batch = 100,
                           .jobs = 2,
                           .seconds = 300,
                           .limits = { .most = ORC_DEFAULT_MOST } };
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--no-misuse"))
            q->limits.no_misuse = true;
        else if (argv[i][0] == '-') {
            if (i + 1 == argc || !parse_option(q, argv[i], argv[i + 1]))
                return false;
            i++;
        } else if (plain == 0)
            q->heddle = argv[i], plain++;
        else if (plain == 1)
            q->n = strtoull(argv[i], NULL, 10), plain++;
        else
            q->first = strtoull(argv[i], NULL, 10);
    }
    return plain == 2 && q->n && q->batch && q->jobs && q->limits.most >= 128;
}

int main(int argc, char **argv)
{
    struct request q;
    if (!parse(argc, argv, &q)) {
        fputs(usage, stderr);
        return 2;
    }
    if (mkdir(q.dir, 0777) && errno != EEXIST)
        die("cannot make", q.dir);
    struct tally *tallies = mmap(NULL, q.jobs * sizeof *tallies, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (tallies == MAP_FAILED)
        die("cannot map", "memory");
    bool whole = true;
    for (uint32_t j = 0; j < q.jobs; j++) {
        pid_t pid = fork();
        if (pid < 0)
            die("cannot start", "a process");
        if (pid == 0) {
            run_share(&q, j, &tallies[j]);
            exit(0);
        }
    }
    for (int status; wait(&status) > 0;)
        whole &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    struct tally sum = { 0 };
    for (uint32_t j = 0; j < q.jobs; j++) {
        sum.checks += tallies[j].checks;
        sum.executions += tallies[j].executions;
        sum.passed += tallies[j].passed;
        sum.failed += tallies[j].failed;
    }
    printf("# %llu checks, %llu executions\n%llu passed, %llu failed\n",
           (unsigned long long)sum.checks, (unsigned long long)sum.executions,
           (unsigned long long)sum.passed, (unsigned long long)sum.failed);
    return whole && sum.passed + sum.failed == q.n ? sum.failed > 0 : 2;
}
