/* oracle-gen: writes generated programs as one C file and what they do to stdout, a line each. */
#include "gen.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: oracle-gen [-n PROGRAMS] [-s FIRST_SEED] [-o FILE.c] [--most N] [--no-misuse]\n"
    "                  [--assumes] [--sections] [--orders] [--finals] [--runs N]\n"
    "  --most N     interleavings a program may have (20000)\n"
    "  --finals     list the hashes of the final states too\n"
    "  --runs N     print the first N runs of every program\n";

struct request {
    uint32_t n;
    uint64_t seed, runs;
    const char *file;
    bool finals;
    struct orc_limits limits;
};

static void print_lines(const char *what, const struct orc_program *p, const bool *flags)
{
    bool any = false;
    for (uint32_t i = 0; i < p->n_stmts; i++)
        if (flags[i]) {
            printf("%s%u", any ? "," : what, p->stmts[i].line);
            any = true;
        }
}

/* Pairs of lines that can stand side by side. */
static uint32_t count_races(const struct orc_program *p, const struct orc_races *races)
{
    uint32_t n = 0;
    for (uint32_t a = 0; a < p->n_stmts; a++)
        for (uint32_t b = a; b < p->n_stmts; b++)
            n += orc_races_has(races, a, b);
    return n;
}

static void print_result(uint32_t i, const struct orc_program *p, const struct orc_result *r,
                         bool finals)
{
    printf("%u seed=%llu threads=%u interleavings=%llu traces=%llu finals=%llu hash=%016llx"
           " deadlocks=%llu",
           i, (unsigned long long)p->seed, p->n_threads, (unsigned long long)r->interleavings,
           (unsigned long long)r->traces, (unsigned long long)r->n_finals,
           (unsigned long long)r->finals_hash, (unsigned long long)r->deadlocks);
    if (r->large)
        fputs(" large", stdout);
    printf(" races=%u", count_races(p, &r->races));
    print_lines(" asserts=", p, r->asserted);
    print_lines(" misuses=", p, r->misused);
    if (finals)
        for (uint64_t f = 0; f < r->n_finals && f < ORC_MAX_FINALS; f++)
            printf("%s%016llx", f ? "," : " list=", (unsigned long long)r->finals[f]);
    putchar('\n');
}

static bool parse(int argc, char **argv, struct request *q)
{
    *q = (struct request){ .n = 100, .limits = { .most = ORC_DEFAULT_MOST } };
    for (int i = 1; i < argc; i++) {
        const char *a = argv[i], *v = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(a, "--no-misuse"))
            q->limits.no_misuse = true;
        else if (!strcmp(a, "--orders"))
            q->limits.orders = true;
        else if (!strcmp(a, "--assumes"))
            q->limits.assumes = true;
        else if (!strcmp(a, "--sections"))
            q->limits.sections = true;
        else if (!strcmp(a, "--finals"))
            q->finals = true;
        else if (!v)
            return false;
        else if (!strcmp(a, "-n"))
            q->n = (uint32_t)strtoul(argv[++i], NULL, 10);
        else if (!strcmp(a, "-s"))
            q->seed = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(a, "-o"))
            q->file = argv[++i];
        else if (!strcmp(a, "--most"))
            q->limits.most = strtoull(argv[++i], NULL, 10);
        else if (!strcmp(a, "--runs"))
            q->runs = strtoull(argv[++i], NULL, 10);
        else
            return false;
    }
    return q->n > 0 && q->limits.most >= 8;
}

static int write_c(struct orc_program *programs, const struct request *q)
{
    FILE *out = q->file ? fopen(q->file, "w") : fopen("/dev/null", "w");
    if (!out || !orc_render(programs, q->n, out) || fclose(out)) {
        fprintf(stderr, "oracle-gen: cannot write %s\n", q->file);
        return 2;
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct request q;
    if (!parse(argc, argv, &q)) {
        fputs(usage, stderr);
        return 2;
    }
    struct orc_program *programs = calloc(q.n, sizeof *programs);
    struct orc_result *results = calloc(q.n, sizeof *results);
    struct orc_lowered *lowered = calloc(1, sizeof *lowered);
    if (!programs || !results || !lowered) {
        fputs("oracle-gen: out of memory\n", stderr);
        return 2;
    }
    for (uint32_t i = 0; i < q.n; i++) {
        orc_generate(q.seed + i, &q.limits, &programs[i], lowered, &results[i]);
        if (q.runs)
            orc_explain(lowered, q.runs, stdout);
    }
    int status = write_c(programs, &q);
    for (uint32_t i = 0; i < q.n && status == 0; i++)
        print_result(i, &programs[i], &results[i], q.finals);
    free(programs);
    free(results);
    free(lowered);
    return status;
}
