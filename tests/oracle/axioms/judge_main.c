/* axioms-judge [--memory sc|tso|rc11|all] [--graphs] [--naive] [--most N] FILE...: judges
 * programs.
 *
 * For every file and model (all, unless one is named) a line
 *
 *   MODEL graphs N deadlocks N finals N races N hash H
 *
 * (verdict.h says what is hashed: it is `observations_hash` of the same program in C), then
 * `MODEL exists yes` or `no` where the program asks for an outcome, `MODEL final …` for each
 * set of registers and memory in which a complete graph ends, and `MODEL race 1:2 2:1` for each
 * pair of statements that race, with the word `first` where a graph has no other race before
 * it; with --graphs also `MODEL graph …` for every complete graph and `MODEL deadlock …` for
 * every deadlock.  Several files: each begins with a line `file NAME`.  - is stdin.
 *
 * --naive cuts no branch early; --most gives up after so many graphs of a model, with a line
 * `MODEL gave up` instead.  Exit status: 0, or 2 for bad input. */
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

struct options {
    bool models[AX_MODELS], graphs, naive;
    uint64_t most;
};

static int usage(const char *why, const char *word)
{
    fprintf(stderr,
            "axioms: %s: %s (axioms-judge [--memory sc|tso|rc11|all] [--graphs] [--naive] "
            "[--most N] FILE...)\n",
            why, word);
    return 2;
}

static void put(const char *model, const char *what, const struct ax_lines *s,
                const struct ax_lines *marked, const char *mark)
{
    char **all = ax_lines_sorted(s);
    for (size_t i = 0; i < s->n; i++)
        printf("%s %s %s%s\n", model, what, all[i],
               marked && ax_lines_has(marked, all[i]) ? mark : "");
    free(all);
}

static bool judge(const struct ax_program *p, const char *file, enum ax_model m,
                  const struct options *o)
{
    struct ax_verdict v = { .wants_lines = o->graphs, .naive = o->naive, .most = o->most };
    const char *name = ax_model_names[m];
    ax_judge(p, m, &v);
    bool good = !v.too_long && v.misuse.n == 0;
    if (v.too_long)
        fprintf(stderr, "axioms: %s: more than %d events and initial values; make it smaller\n",
                file, AX_EVENTS);
    char **wrong = ax_lines_sorted(&v.misuse);
    if (v.misuse.n)
        fprintf(stderr,
                "axioms: %s: statement %s unlocks a mutex that its thread does not hold\n", file,
                wrong[0]);
    free(wrong);
    if (good && v.gave_up)
        printf("%s gave up\n", name);
    if (good && !v.gave_up) {
        printf("%s graphs %llu deadlocks %llu finals %zu races %zu hash %016llx\n", name,
               (unsigned long long)v.graphs, (unsigned long long)v.deadlocks, v.finals.n,
               v.races.n, (unsigned long long)v.finals_hash);
        if (p->n_wishes)
            printf("%s exists %s\n", name, v.exists ? "yes" : "no");
        put(name, "final", &v.finals, NULL, "");
        put(name, "race", &v.races, &v.first, " first");
        put(name, "graph", &v.lines, NULL, "");
        put(name, "deadlock", &v.blocked, NULL, "");
    }
    ax_verdict_release(&v);
    return good;
}

static int judge_file(const char *file, const struct options *o)
{
    static struct ax_program p;
    char *text = ax_read(file, stderr);
    bool good = text && ax_parse(&p, file, text, stderr);
    free(text);
    for (enum ax_model m = 0; good && m < AX_MODELS; m++)
        if (o->models[m])
            good = judge(&p, file, m, o);
    return good ? 0 : 2;
}

static bool model(struct options *o, const char *name)
{
    bool any = false;
    for (enum ax_model m = 0; m < AX_MODELS; m++) {
        o->models[m] = !strcmp(name, "all") || !strcmp(name, ax_model_names[m]);
        any = any || o->models[m];
    }
    return any;
}

int main(int argc, char **argv)
{
    struct options o = { .models = { true, true, true } };
    int i = 1;
    for (; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
        char *end = NULL;
        if (!strcmp(argv[i], "--graphs")) {
            o.graphs = true;
        } else if (!strcmp(argv[i], "--naive")) {
            o.naive = true;
        } else if (!strcmp(argv[i], "--memory") && i + 1 < argc) {
            if (!model(&o, argv[++i]))
                return usage("no such model", argv[i]);
        } else if (!strcmp(argv[i], "--most") && i + 1 < argc) {
            o.most = strtoull(argv[++i], &end, 10);
            if (*end || end == argv[i])
                return usage("not a number", argv[i]);
        } else {
            return usage("no such option, or its value is missing", argv[i]);
        }
    }
    if (i == argc)
        return usage("no file", "-: stdin");
    int status = 0;
    for (bool several = argc - i > 1; i < argc; i++) {
        if (several)
            printf("file %s\n", argv[i]);
        if (judge_file(argv[i], &o))
            status = 2;
    }
    return status;
}
