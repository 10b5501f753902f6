/* axioms-gen: programs for axioms-judge, and the same programs in C.
 *
 *   axioms-gen random [--seed N] [--threads N] [--events N] [--locations N]
 *                     [--with FEATURE,...] [--count N --dir D]
 *       a random program; with --count and --dir the files D/SEED.ax for so many seeds.
 *       Features: rmw weak fence seq_cst branch plain mutex sem cond cycle barrier all (all but weak) races
 *   axioms-gen cycle ...          the same options; all programs are made around a cycle
 *   axioms-gen family NAME N      a program of a family (families.h)
 *   axioms-gen shape NAME INDEX   a litmus shape with one combination of orders (shapes.h)
 *   axioms-gen shapes NAME DIR    the files DIR/NAME-INDEX.ax, one for each combination
 *   axioms-gen classic NAME       a program of a paper
 *   axioms-gen list               the names
 *   axioms-gen c FILE...          the programs in C, in one file; main's argument selects one
 *
 * Exit status: 0, or 2 with one line for bad input. */
#include "emit.h"
#include "families.h"
#include "gen.h"
#include "shapes.h"
#include "verdict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *why, const char *word)
{
    fprintf(stderr, "axioms: %s: %s (the head of gen_main.c says how axioms-gen is used)\n", why,
            word);
    return 2;
}

static bool number(const char *word, uint64_t *to)
{
    char *end;
    errno = 0;
    *to = strtoull(word, &end, 10);
    return end != word && !*end && !errno && word[0] != '-';
}

static FILE *create(const char *dir, const char *name, uint64_t index)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s%llu.ax", dir, name, *name ? "-" : "",
             (unsigned long long)index);
    FILE *f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "axioms: cannot write %s: %s\n", path, strerror(errno));
    return f;
}

static bool features(char *words, uint32_t *to)
{
    char *rest = words, *word;
    *to = 0;
    while ((word = strsep(&rest, ","))) {
        uint32_t f = ax_feature(word);
        if (*word && !f)
            return false;
        *to |= f;
    }
    return true;
}

static int random_programs(int argc, char **argv, void (*generate)(const struct ax_gen *, FILE *))
{
    uint64_t v[5] = { 0, 3, 4, 3, 1 };
    static const char *const names[] = { "--seed", "--threads", "--events", "--locations",
                                         "--count" };
    uint32_t with = AX_HAS_ALL & ~(uint32_t)AX_HAS_WEAK;
    const char *dir = NULL;
    for (int i = 0; i < argc; i += 2) {
        uint32_t k = 0;
        while (k < 5 && strcmp(argv[i], names[k]))
            k++;
        if (i + 1 == argc)
            return fail("a value is missing", argv[i]);
        if (k < 5 && !number(argv[i + 1], &v[k]))
            return fail("not a number", argv[i + 1]);
        if (k == 5 && !strcmp(argv[i], "--dir"))
            dir = argv[i + 1];
        else if (k == 5 && strcmp(argv[i], "--with"))
            return fail("no such option", argv[i]);
        else if (k == 5 && !features(argv[i + 1], &with))
            return fail("no such feature", argv[i + 1]);
    }
    if (v[1] < 2 || v[1] > 8 || v[2] < 1 || v[2] > 12 || v[3] < 1 || v[3] > 8)
        return fail("2 to 8 threads, 1 to 12 events, 1 to 8 locations", "out of range");
    if (!dir && v[4] != 1)
        return fail("several programs need a folder", "--dir");
    for (uint64_t seed = v[0]; seed < v[0] + v[4]; seed++) {
        struct ax_gen how = { seed, (uint32_t)v[1], (uint32_t)v[2], (uint32_t)v[3], with };
        FILE *out = dir ? create(dir, "", seed) : stdout;
        if (!out)
            return 2;
        generate(&how, out);
        if (dir)
            fclose(out);
    }
    return 0;
}

static int family(const char *name, const char *parameter)
{
    uint64_t n;
    for (const struct ax_family *f = ax_families; f->name; f++)
        if (!strcmp(f->name, name)) {
            if (!number(parameter, &n) || n < 1 || n > 100)
                return fail("not a parameter", parameter);
            f->put(stdout, (uint32_t)n);
            return 0;
        }
    return fail("no such family", name);
}

/* One combination to stdout, or all of them into files. */
static int shape(const char *name, const char *index, const char *dir)
{
    uint8_t slot[AX_SLOTS];
    uint64_t n = 0;
    const struct ax_shape *s = ax_shapes;
    while (s->name && strcmp(s->name, name))
        s++;
    if (!s->name)
        return fail("no such shape", name);
    if (!dir && (!number(index, &n) || n > UINT32_MAX || !ax_shape_orders(s, (uint32_t)n, slot)))
        return fail("there is no such combination", index);
    if (!dir)
        ax_shape_put(s, slot, stdout);
    for (uint32_t i = 0; dir && ax_shape_orders(s, i, slot); i++) {
        FILE *out = create(dir, name, i);
        if (!out)
            return 2;
        ax_shape_put(s, slot, out);
        fclose(out);
    }
    return 0;
}

static int classic(const char *name)
{
    for (const struct ax_classic *c = ax_classics; c->name; c++)
        if (!strcmp(c->name, name)) {
            fputs(c->text, stdout);
            return 0;
        }
    return fail("no such program", name);
}

static int list(void)
{
    for (const struct ax_family *f = ax_families; f->name; f++)
        printf("family %s: %s\n", f->name, f->summary);
    for (const struct ax_shape *s = ax_shapes; s->name; s++)
        printf("shape %s\n", s->name);
    for (const struct ax_classic *c = ax_classics; c->name; c++)
        printf("classic %s\n", c->name);
    return 0;
}

/* What the judge says of the outcome that the program asks for: the assertion in the C program
 * fails exactly under the models that show it. */
static const char *outcome(const struct ax_program *p, char *note, size_t size)
{
    if (!p->n_wishes)
        return NULL;
    size_t n = (size_t)snprintf(note, size, "the asserted outcome:");
    for (enum ax_model m = 0; m < AX_MODELS; m++) {
        struct ax_verdict v = { 0 };
        ax_judge(p, m, &v);
        n += (size_t)snprintf(note + n, size - n, " %s %s", ax_model_names[m],
                              v.exists ? "shows it" : "forbids it");
        n += (size_t)snprintf(note + n, size - n, "%s", m + 1 < AX_MODELS ? "," : "");
        ax_verdict_release(&v);
    }
    return note;
}

static int in_c(int argc, char **argv)
{
    static struct ax_program p;
    ax_emit_head(stdout);
    for (int i = 0; i < argc; i++) {
        char *text = ax_read(argv[i], stderr);
        bool good = text && ax_parse(&p, argv[i], text, stderr);
        free(text);
        if (!good)
            return 2;
        char note[128];
        const char *base = strrchr(argv[i], '/');
        ax_emit_program(stdout, &p, (uint32_t)i, base ? base + 1 : argv[i],
                        outcome(&p, note, sizeof note));
    }
    ax_emit_main(stdout, (uint32_t)argc);
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "random"))
        return random_programs(argc - 2, argv + 2, ax_generate);
    if (!strcmp(what, "cycle"))
        return random_programs(argc - 2, argv + 2, ax_generate_cycle);
    if (!strcmp(what, "family") && argc == 4)
        return family(argv[2], argv[3]);
    if (!strcmp(what, "shape") && argc == 4)
        return shape(argv[2], argv[3], NULL);
    if (!strcmp(what, "shapes") && argc == 4)
        return shape(argv[2], NULL, argv[3]);
    if (!strcmp(what, "classic") && argc == 3)
        return classic(argv[2]);
    if (!strcmp(what, "list") && argc == 2)
        return list();
    if (!strcmp(what, "c") && argc > 2)
        return in_c(argc - 2, argv + 2);
    return fail("not a command with its arguments", what);
}
