/* What is known from elsewhere: counts of families, verdicts of litmus shapes and of papers. */
#include "families.h"
#include "shapes.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

static struct ax_program program;

static void count(const struct ax_family *f, uint32_t n, const uint32_t *expected)
{
    char *text = NULL, name[64];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    f->put(out, n);
    fclose(out);
    ax_must_parse(&program, f->name, text);
    for (enum ax_model m = 0; m < AX_MODELS; m++) {
        struct ax_verdict v = { .wants_lines = true };
        ax_judge(&program, m, &v);
        snprintf(name, sizeof name, "count %s(%u) %s", f->name, n, ax_model_names[m]);
        ax_expect(v.graphs == expected[m] && v.lines.repeated == 0 && v.deadlocks == 0, name,
                  "%llu graphs, %zu of them twice, instead of %u", (unsigned long long)v.graphs,
                  v.lines.repeated, expected[m]);
        ax_verdict_release(&v);
    }
    free(text);
}

void ax_test_counts(void)
{
    for (const struct ax_known *k = ax_known; k->family; k++)
        for (uint32_t i = 0; i < 4 && k->n[i]; i++) {
            const struct ax_family *f = ax_families;
            while (strcmp(f->name, k->family))
                f++;
            count(f, k->n[i],
                  (const uint32_t[]){ k->counts[0][i], k->counts[1][i], k->counts[2][i] });
        }
}

static bool exists(enum ax_model m)
{
    struct ax_verdict v = { 0 };
    ax_judge(&program, m, &v);
    bool yes = v.exists;
    ax_verdict_release(&v);
    return yes;
}

enum uniform { UNIFORM_NOT, UNIFORM_RELAXED, UNIFORM_ACQ_REL, UNIFORM_SEQ_CST, UNIFORM_FENCES };

/* All relaxed, all release and acquire, all seq_cst, without fences; or seq_cst fences
 * everywhere. */
static enum uniform uniform(const char *kinds, const uint8_t *slot)
{
    bool fences = true, none = true, is[3] = { true, true, true };
    for (uint32_t i = 0; kinds[i]; i++) {
        if (kinds[i] == 'F') {
            fences = fences && slot[i] == AX_SEQ_CST;
            none = none && slot[i] == AX_PLAIN;
            continue;
        }
        is[0] = is[0] && slot[i] == AX_RELAXED;
        is[1] = is[1] && (slot[i] == AX_RELEASE || slot[i] == AX_ACQUIRE);
        is[2] = is[2] && slot[i] == AX_SEQ_CST;
    }
    if (fences)
        return UNIFORM_FENCES;
    return !none   ? UNIFORM_NOT
           : is[0] ? UNIFORM_RELAXED
           : is[1] ? UNIFORM_ACQ_REL
           : is[2] ? UNIFORM_SEQ_CST
                   : UNIFORM_NOT;
}

/* SC never shows the outcome.  RC11 never does where all accesses are seq_cst (theorem: DRF-
 * SC), nor where a seq_cst fence stands between any two accesses (theorem of the RC11 paper).
 */
static const char *judge_shape(const struct ax_shape *s, const char *kinds, const uint8_t *slot)
{
    enum uniform u = uniform(kinds, slot);
    bool tso = exists(AX_TSO), rc11 = exists(AX_RC11);
    if (exists(AX_SC))
        return "SC shows it";
    if (u == UNIFORM_RELAXED && tso != s->tso_shows)
        return "TSO, relaxed";
    if (u == UNIFORM_RELAXED && rc11 == s->relaxed_forbids)
        return "RC11, relaxed";
    if (u == UNIFORM_ACQ_REL && rc11 == s->acq_rel_forbids)
        return "RC11, release and acquire";
    if ((u == UNIFORM_SEQ_CST || u == UNIFORM_FENCES) && (rc11 || tso))
        return "all seq_cst, or fences everywhere";
    if (s->forbids && s->forbids(slot) == rc11)
        return "RC11 in closed form";
    return NULL;
}

void ax_test_shapes(void)
{
    for (const struct ax_shape *s = ax_shapes; s->name; s++) {
        char kinds[AX_SLOTS + 1], name[48], first[512] = "";
        uint8_t slot[AX_SLOTS];
        uint32_t i, wrong = 0;
        ax_shape_slots(s, kinds);
        for (i = 0; ax_shape_orders(s, i, slot); i++) {
            char *text = NULL;
            size_t size;
            FILE *out = open_memstream(&text, &size);
            if (!out)
                abort();
            ax_shape_put(s, slot, out);
            fclose(out);
            ax_must_parse(&program, s->name, text);
            const char *why = judge_shape(s, kinds, slot);
            if (why && wrong++ == 0)
                snprintf(first, sizeof first, "%s:\n%s", why, text);
            free(text);
        }
        snprintf(name, sizeof name, "shape %s, %u combinations", s->name, i);
        ax_expect(wrong == 0, name, "%u are wrong, the first by: %s", wrong, first);
    }
}

void ax_test_classics(void)
{
    for (const struct ax_classic *c = ax_classics; c->name; c++) {
        char name[96];
        snprintf(name, sizeof name, "paper %s", c->name);
        ax_must_parse(&program, c->name, c->text);
        bool shows[] = { exists(AX_SC), exists(AX_TSO), exists(AX_RC11) };
        ax_expect(!memcmp(shows, c->shows, sizeof shows), name,
                  "sc, tso, rc11 show it: %d %d %d instead of %d %d %d", shows[0], shows[1],
                  shows[2], c->shows[0], c->shows[1], c->shows[2]);
    }
}
