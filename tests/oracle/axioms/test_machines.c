#include "gen.h"
#include "machine.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GRAPHS 3000
#define MOST_STEPS 100000
#define MOST_NAIVE 7 /* events of a program that is also enumerated without cuts */

struct tally {
    uint64_t compared[AX_MODELS], graphs[AX_MODELS], deadlocks, racy, naive, weaker, wrong;
};

static bool same(const struct ax_verdict *v, const struct ax_lines *graphs,
                 const struct ax_lines *deadlocks)
{
    return ax_lines_equal(&v->lines, graphs) && ax_lines_equal(&v->blocked, deadlocks) &&
           v->lines.repeated == 0 && v->blocked.repeated == 0 && v->misuse.n == 0;
}

static uint32_t events_of(const struct ax_program *p)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < p->n_threads; t++)
        for (uint32_t i = 0; i < p->threads[t].n; i++)
            n += p->threads[t].code[i].op < AX_LOCAL;
    return n;
}

static bool has_seq_cst(const struct ax_program *p)
{
    for (uint32_t t = 0; t < p->n_threads; t++)
        for (uint32_t i = 0; i < p->threads[t].n; i++) {
            const struct ax_instr *in = &p->threads[t].code[i];
            if (in->order == AX_SEQ_CST || in->failure == AX_SEQ_CST)
                return true;
        }
    return false;
}

/* Compares with the machine of the model and, if it is small, with the enumerator without cuts.
 */
static void compare(struct tally *y, const struct ax_program *p, enum ax_model m, uint64_t seed,
                    const struct ax_verdict *v)
{
    static bool (*const machines[])(const struct ax_program *,
                                    struct ax_runs *) = { ax_machine_sc, ax_machine_tso,
                                                          ax_machine_views };
    struct ax_runs runs = { .most = MOST_STEPS };
    bool good = true;
    if (!(m == AX_RC11 && has_seq_cst(p)) && machines[m](p, &runs)) {
        y->compared[m]++;
        good = same(v, &runs.graphs, &runs.deadlocks);
    }
    if (good && events_of(p) <= MOST_NAIVE) {
        struct ax_verdict all = { .wants_lines = true, .naive = true };
        ax_judge(p, m, &all);
        y->naive++;
        good = same(v, &all.lines, &all.blocked);
        ax_verdict_release(&all);
    }
    if (!good) {
        y->wrong++;
        printf(
            "not ok machine %s, seed %llu: %zu graphs and %zu deadlocks, the machine %zu and %zu\n",
            ax_model_names[m], (unsigned long long)seed, v->lines.n, v->blocked.n, runs.graphs.n,
            runs.deadlocks.n);
    }
    ax_runs_release(&runs);
}

static void try(struct tally *y, uint64_t seed)
{
    static struct ax_program p;
    static const uint32_t allowed[] = {
        AX_HAS_ALL,
        AX_HAS_RMW | AX_HAS_FENCE | AX_HAS_BRANCH | AX_HAS_CYCLE,
        AX_HAS_RMW | AX_HAS_FENCE | AX_HAS_SEQ_CST | AX_HAS_CYCLE,
        AX_HAS_ALL & ~AX_HAS_SEQ_CST,
    };
    struct ax_gen how = { seed, 2 + (uint32_t)(seed / 4 % 2), 2 + (uint32_t)(seed / 8 % 3), 3,
                          allowed[seed % 4] };
    char *text = NULL;
    size_t size;
    uint64_t counts[AX_MODELS] = { 0 };
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    ax_generate(&how, out);
    fclose(out);
    ax_must_parse(&p, "random", text);
    free(text);
    for (enum ax_model m = 0; m < AX_MODELS; m++) {
        struct ax_verdict v = { .wants_lines = true, .most = MOST_GRAPHS };
        ax_judge(&p, m, &v);
        if (!v.gave_up && !v.too_long) {
            compare(y, &p, m, seed, &v);
            counts[m] = v.graphs;
            y->graphs[m] += v.graphs;
            y->deadlocks += v.deadlocks;
            y->racy += m == AX_RC11 && v.races.n;
        }
        ax_verdict_release(&v);
    }
    y->weaker += counts[AX_RC11] > counts[AX_SC];
}

void ax_test_machines(uint64_t programs, uint64_t seed)
{
    struct tally y = { 0 };
    for (uint64_t i = 0; i < programs; i++)
        try(&y, seed + i);
    printf(
        "# %llu programs: %llu sc, %llu tso, %llu rc11 against a machine, %llu without cuts; graphs "
        "%llu %llu %llu, deadlocks %llu; %llu weaker than sc, %llu with races\n",
        (unsigned long long)programs, (unsigned long long)y.compared[0],
        (unsigned long long)y.compared[1], (unsigned long long)y.compared[2],
        (unsigned long long)y.naive, (unsigned long long)y.graphs[0],
        (unsigned long long)y.graphs[1], (unsigned long long)y.graphs[2],
        (unsigned long long)y.deadlocks, (unsigned long long)y.weaker,
        (unsigned long long)y.racy);
    ax_expect(y.wrong == 0, "random programs against the machines", "%llu differ",
              (unsigned long long)y.wrong);
    bool enough = y.compared[AX_RC11] * 4 > programs && y.naive * 4 > programs &&
                  y.weaker * 20 > programs && y.racy > 0 && y.deadlocks > 0;
    ax_expect(programs < 500 || enough, "random programs are worth it",
              "too few are compared, weak, racy or deadlock");
}
