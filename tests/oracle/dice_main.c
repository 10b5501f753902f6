/* oracle-dice: how often does slice-n-dice miss an assertion that fails in some interleaving?
 * Generated programs with assertions, judged by the interpreter.  A miss is counted; a failure
 * is
 *   - an assertion, deadlock or misuse that is reported and that no interleaving has,
 *   - a report whose trace does not replay,
 *   - the word `verified`,
 *   - a strategy that misses more than a tenth: it would not do what it is for. */
#include "child.h"
#include "gen.h"
#include "json.h"
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
    "usage: oracle-dice [options] HEDDLE PROGRAMS [FIRST_SEED]\n"
    "  --dir DIR       where the C files and executables go (build/tests/oracle)\n"
    "  --jobs N        processes (2)\n"
    "  --serve PROGRAM does the checks without starting heddle for each (build/tests/oracle-serve)\n"
    "  --most N        interleavings a program may have (3000)\n"
    "  --misses        list the programs of the misses\n";

#define BATCH 16 /* programs per executable: slice-n-dice tells 64 kinds of threads apart */
#define SECONDS 300

static const char *const strategies[] = { "slice-n-dice", "slice-n-dice:1" };
#define N_STRATEGIES 2

struct tally {
    uint64_t programs, reachable, failed;
    uint64_t reached[N_STRATEGIES], missed[N_STRATEGIES], others[N_STRATEGIES];
};

struct request {
    const char *heddle, *dir, *serve;
    uint64_t n, first;
    uint32_t jobs;
    bool misses;
    struct orc_limits limits;
};

struct batch {
    const struct request *q;
    uint32_t n;
    struct orc_program *programs;
    struct orc_result *results;
    struct orc_server *server;
    char source[512], executable[512], errors[512], traces[512], output[512];
};

static void *take(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p) {
        fputs("oracle-dice: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

static void die(const char *what, const char *name)
{
    fprintf(stderr, "oracle-dice: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

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

static void run(struct batch *b, char *const argv[], bool serve, struct orc_child *c)
{
    if (serve && b->server)
        orc_server_run(b->server, argv, b->executable, b->output, b->errors, SECONDS, c);
    else
        orc_child_run(argv, b->errors, SECONDS, c);
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
    char *argv[] = { (char *)(uintptr_t)b->q->heddle, "replay", "-q", b->executable, path, NULL };
    struct orc_child c;
    run(b, argv, false, &c);
    free(c.output);
    unlink(path);
    return c.status == 1;
}

static const char *wrong(struct batch *b, uint32_t i, uint32_t s, const struct orc_child *c,
                         struct tally *tally)
{
    const struct orc_program *p = &b->programs[i];
    const struct orc_result *r = &b->results[i];
    const char *root = orc_json_root(c->output), *verdict = orc_json_member(root, "verdict");
    const char *violation = orc_json_first(orc_json_member(root, "violations"));
    bool reachable = any(p, r->asserted);
    if (orc_json_is(verdict, "no-violation-found") && !violation && c->status == 0) {
        tally->missed[s] += reachable;
        if (reachable && b->q->misses)
            printf("missed by %s: seed %llu, %s, prog_%u\n", strategies[s],
                   (unsigned long long)p->seed, b->source, i);
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
    tally->reachable += any(&b->programs[i], b->results[i].asserted);
    for (uint32_t s = 0; s < N_STRATEGIES; s++) {
        char *argv[] = { (char *)(uintptr_t)b->q->heddle,
                         "check",
                         "--strategy",
                         (char *)(uintptr_t)strategies[s],
                         "--races",
                         "off",
                         "--no-minimise",
                         "--json",
                         "-",
                         "--trace-dir",
                         b->traces,
                         b->executable,
                         "--",
                         index,
                         NULL };
        struct orc_child c;
        run(b, argv, true, &c);
        const char *why = wrong(b, i, s, &c, tally);
        free(c.output);
        if (!why)
            continue;
        tally->failed++;
        printf("FAILED seed %llu: %s: %s\n    heddle check --strategy %s --races off %s -- %u\n",
               (unsigned long long)b->programs[i].seed, b->source, why, strategies[s],
               b->executable, i);
    }
    fflush(stdout);
}

static bool compile(struct batch *b)
{
    FILE *out = fopen(b->source, "w");
    if (!out || !orc_render(b->programs, b->n, out) || fclose(out))
        die("cannot write", b->source);
    char *argv[] = {
        (char *)(uintptr_t)b->q->heddle, "cc", "-o", b->executable, b->source, NULL
    };
    struct orc_child c;
    run(b, argv, false, &c);
    free(c.output);
    return c.status == 0;
}

static void name_files(struct batch *b, uint64_t first)
{
    unsigned long long name = (unsigned long long)first;
    snprintf(b->source, sizeof b->source, "%s/dice%llu.c", b->q->dir, name);
    snprintf(b->executable, sizeof b->executable, "%s/dice%llu", b->q->dir, name);
    snprintf(b->errors, sizeof b->errors, "%s/dice%llu.err", b->q->dir, name);
    snprintf(b->traces, sizeof b->traces, "%s/dice%llu.traces", b->q->dir, name);
    snprintf(b->output, sizeof b->output, "%s/dice%llu.json", b->q->dir, name);
}

static void run_batch(struct batch *b, struct tally *tally)
{
    uint64_t failed = tally->failed;
    name_files(b, b->programs[0].seed);
    if (compile(b)) {
        for (uint32_t i = 0; i < b->n; i++)
            try_program(b, i, tally);
    } else {
        printf("FAILED: heddle cc does not compile %s, see %s\n", b->source, b->errors);
        tally->failed += b->n;
    }
    if (tally->failed == failed && !b->q->misses) {
        unlink(b->executable);
        unlink(b->source);
        unlink(b->errors);
        unlink(b->output);
        rmdir(b->traces);
    }
    b->n = 0;
}

/* The programs with assertions from q->first on; every job's share of the batches. */
static void run_share(const struct request *q, uint32_t job, struct tally *tally)
{
    struct orc_lowered *lowered = take(1, sizeof *lowered);
    struct orc_server server;
    struct batch b = { .q = q, .server = q->serve ? &server : NULL };
    b.programs = take(BATCH, sizeof *b.programs);
    b.results = take(BATCH, sizeof *b.results);
    if (q->serve)
        orc_server_start(&server, q->serve);
    uint64_t share = q->n / q->jobs + (job < q->n % q->jobs);
    for (uint64_t seed = q->first + job, done = 0; done < share; seed += q->jobs) {
        orc_generate(seed, &q->limits, &b.programs[b.n], lowered, &b.results[b.n]);
        if (!asserts(&b.programs[b.n]))
            continue;
        b.n++;
        done++;
        if (b.n == BATCH || done == share)
            run_batch(&b, tally);
    }
    if (q->serve)
        orc_server_stop(&server);
    free(b.programs);
    free(b.results);
    free(lowered);
}

static bool parse_option(struct request *q, const char *name, const char *v)
{
    if (!strcmp(name, "--dir"))
        q->dir = v;
    else if (!strcmp(name, "--jobs"))
        q->jobs = (uint32_t)strtoul(v, NULL, 10);
    else if (!strcmp(name, "--most"))
        q->limits.most = strtoull(v, NULL, 10);
    else if (!strcmp(name, "--serve"))
        q->serve = v;
    else
        return false;
    return true;
}

static bool parse(int argc, char **argv, struct request *q)
{
    int plain = 0;
    *q = (struct request){ .dir = "build/tests/oracle",
                           .jobs = 2,
                           .limits = { .most = 3000, .no_misuse = true } };
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--misses"))
            q->misses = true;
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
    return plain == 2 && q->n && q->jobs && q->limits.most >= 128;
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

static int report(const struct request *q, struct tally *t)
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
    return t->programs == q->n ? t->failed > 0 : 2;
}

int main(int argc, char **argv)
{
    struct request q;
    struct tally sum = { 0 };
    bool whole = true;
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
    for (uint32_t j = 0; j < q.jobs; j++)
        add(&sum, &tallies[j]);
    return whole ? report(&q, &sum) : 2;
}
