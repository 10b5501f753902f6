/* The counts are those of GenMC 0.11 for the same programs in C, main creating and joining the
 * threads, under its models sc, tso and rc11.  Some can be counted by hand:
 *   sb        each thread reads 0 or 1; sc forbids that all read 0
 *   writers   n! orders of the writes, and each thread reads its own or a later one: n! · n!
 *   incr      n! orders
 *   mp-relaxed under rc11: what is read of f and of x can grow in C(2n, n) ways each */
#include "families.h"

static void sb(FILE *out, uint32_t n, const char *order, const char *fence)
{
    fprintf(out, "loc");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, " x%u", i);
    fprintf(out, "\n");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "thread\n    store x%u 1 %s\n%s    r0 = load x%u %s\n", i, order, fence,
                (i + 1) % n, order);
}

static void sb_relaxed(FILE *out, uint32_t n) { sb(out, n, "relaxed", ""); }
static void sb_fences(FILE *out, uint32_t n) { sb(out, n, "relaxed", "    fence seq_cst\n"); }
static void sb_seq_cst(FILE *out, uint32_t n) { sb(out, n, "seq_cst", ""); }

static void writers(FILE *out, uint32_t n)
{
    fprintf(out, "loc x\n");
    for (uint32_t i = 1; i <= n; i++)
        fprintf(out, "thread\n    store x %u relaxed\n    r0 = load x relaxed\n", i);
}

static void mp(FILE *out, uint32_t n, const char *order)
{
    fprintf(out, "loc x f\nthread\n");
    for (uint32_t i = 1; i <= n; i++)
        fprintf(out, "    store x %u relaxed\n    store f %u %s\n", i, i, order);
    fprintf(out, "thread\n");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "    r%u = load f acquire\n    r%u = load x relaxed\n", 2 * i, 2 * i + 1);
}

static void mp_release(FILE *out, uint32_t n) { mp(out, n, "release"); }
static void mp_relaxed(FILE *out, uint32_t n) { mp(out, n, "relaxed"); }

static void iriw(FILE *out, const char *store, const char *load)
{
    fprintf(out, "loc x y\n");
    for (uint32_t i = 0; i < 2; i++)
        fprintf(out, "thread\n    store %c 1 %s\n", "xy"[i], store);
    for (uint32_t i = 0; i < 2; i++)
        fprintf(out, "thread\n    r0 = load %c %s\n    r1 = load %c %s\n", "xy"[i], load, "yx"[i],
                load);
}

static void iriw_seq_cst(FILE *out, uint32_t n)
{
    (void)n;
    iriw(out, "seq_cst", "seq_cst");
}

static void iriw_acq_rel(FILE *out, uint32_t n)
{
    (void)n;
    iriw(out, "release", "acquire");
}

static void fib(FILE *out, uint32_t n)
{
    fprintf(out, "loc i=1 j=1\n");
    for (uint32_t t = 0; t < 2; t++) {
        fprintf(out, "thread\n");
        for (uint32_t k = 0; k < n; k++)
            fprintf(out,
                    "    r0 = load %c relaxed\n    r1 = load %c relaxed\n    r0 = r0 + r1\n"
                    "    store %c r0 relaxed\n",
                    "ij"[t], "ji"[t], "ij"[t]);
    }
}

static void incr(FILE *out, uint32_t n)
{
    fprintf(out, "loc x\n");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "thread\n    add x 1 relaxed\n");
}

const struct ax_family ax_families[] = {
    { "sb", "n threads: x[i] = 1; r = x[i + 1], relaxed", sb_relaxed },
    { "sb-fences", "the same with a seq_cst fence between", sb_fences },
    { "sb-seq_cst", "the same, all seq_cst", sb_seq_cst },
    { "writers", "n threads: x = i; r = x, relaxed", writers },
    { "mp", "n times x = i; f = i (release) | n times a = f (acquire); b = x", mp_release },
    { "mp-relaxed", "the same with the release weakened to relaxed", mp_relaxed },
    { "iriw-seq_cst", "two writers, two readers, all seq_cst", iriw_seq_cst },
    { "iriw-acq_rel", "the same with release and acquire", iriw_acq_rel },
    { "fib", "n times i += j | n times j += i, relaxed loads and stores", fib },
    { "incr", "n threads: a relaxed fetch-add", incr },
    { 0 },
};

const struct ax_known ax_known[] = {
    { "sb", { 2, 3, 5, 8 }, { { 3, 7, 31, 255 }, { 4, 8, 32, 256 }, { 4, 8, 32, 256 } } },
    { "sb-fences", { 2, 5 }, { { 3, 31 }, { 3, 31 }, { 3, 31 } } },
    { "sb-seq_cst", { 2, 5 }, { { 3, 31 }, { 3, 31 }, { 3, 31 } } },
    { "writers", { 2, 3, 4 }, { { 4, 36, 576 }, { 4, 36, 576 }, { 4, 36, 576 } } },
    { "mp", { 1, 2, 3 }, { { 3, 19, 141 }, { 3, 19, 141 }, { 3, 20, 175 } } },
    { "mp-relaxed", { 1, 2, 3 }, { { 3, 19, 141 }, { 3, 19, 141 }, { 4, 36, 400 } } },
    { "iriw-seq_cst", { 1 }, { { 15 }, { 15 }, { 15 } } },
    { "iriw-acq_rel", { 1 }, { { 15 }, { 15 }, { 16 } } },
    { "fib",
      { 1, 2, 3, 4 },
      { { 3, 19, 141, 1107 }, { 3, 20, 175, 1764 }, { 3, 20, 175, 1764 } } },
    { "incr", { 6 }, { { 720 }, { 720 }, { 720 } } },
    { 0 },
};
