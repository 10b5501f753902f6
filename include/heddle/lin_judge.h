/* heddle/lin_judge.h - does an order of the operations explain their results?  Part of
 * heddle/lin_run.h, which includes it. */
#ifndef HEDDLE_LIN_JUDGE_H
#define HEDDLE_LIN_JUDGE_H

/* ---- the judge ---- */

/* Does the row have the order of the history?  The operations of thread t before `count` come
 * before operation k of thread u.  One that waits for ever comes after all others. */
static int heddle_lin_comes(const struct heddle_lin_row *row, int t, int count, int u, int k)
{
    for (int i = 0; i < count && row->position[u][k]; i++)
        if (row->position[t][i] > row->position[u][k])
            return 0;
    return 1;
}

/* The operations of the thread that have begun: all of them, unless the history is stuck. */
static int heddle_lin_begun(int thread)
{
    return heddle_lin_records[thread + 1].n_begun;
}

static int heddle_lin_in_order(const struct heddle_lin_row *row)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    for (int u = 0; u < s->n_threads; u++)
        for (int k = 0; k < heddle_lin_begun(u); k++)
            for (int t = 0; t < s->n_threads; t++)
                if (t != u &&
                    !heddle_lin_comes(row, t, heddle_lin_records[u + 1].before[k][t], u, k))
                    return 0;
    return 1;
}

/* Is there a moment at which thread t has done cut[t] operations and nothing runs?  Then every
 * later operation was called after all earlier ones had returned. */
static int heddle_lin_is_quiet(const int *cut)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    for (int u = 0; u < s->n_threads; u++)
        for (int t = 0; t < s->n_threads; t++)
            if (t != u && cut[u] < heddle_lin_begun(u) &&
                heddle_lin_records[u + 1].before[cut[u]][t] < cut[t])
                return 0;
    return 1;
}

/* Does the row keep all such moments?  The cuts are counted through. */
static int heddle_lin_keeps_quiet(const struct heddle_lin_row *row)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    int cut[HEDDLE_LIN_THREADS] = { 0 };
    for (int t = 0; t < s->n_threads;) {
        for (int u = 0; heddle_lin_is_quiet(cut) && u < s->n_threads; u++)
            for (int k = cut[u]; k < heddle_lin_begun(u); k++)
                for (int v = 0; v < s->n_threads; v++)
                    if (!heddle_lin_comes(row, v, cut[v], u, k))
                        return 0;
        for (t = 0; t < s->n_threads && cut[t] == heddle_lin_records[t + 1].n; t++)
            cut[t] = 0;
        if (t < s->n_threads)
            cut[t]++;
    }
    return 1;
}

static int heddle_lin_keeps_order(const struct heddle_lin_row *row)
{
    if (heddle_lin_check == HEDDLE_LIN_LINEARIZABLE)
        return heddle_lin_in_order(row);
    return heddle_lin_check != HEDDLE_LIN_QUIESCENT || heddle_lin_keeps_quiet(row);
}

/* Have the same calls returned in the row and in the history? */
static int heddle_lin_same_calls(const struct heddle_lin_row *row)
{
    for (int p = 1; p < heddle_lin_scenario.n_threads + 2; p++)
        if (heddle_lin_n_returned(row, p) != heddle_lin_records[p].n)
            return 0;
    return 1;
}

static int heddle_lin_explained(void)
{
    int n_parts = heddle_lin_scenario.n_threads + 2;
    if (heddle_lin_check == HEDDLE_LIN_NONE)
        return 1;
    for (int i = 0; i < heddle_lin_n_rows; i++) {
        const struct heddle_lin_row *row = &heddle_lin_rows[i];
        int p = 0;
        if (!heddle_lin_same_calls(row))
            continue;
        while (p < n_parts &&
               heddle_lin_same_part(p, heddle_lin_n_returned(row, p), &row->results[p],
                                    &heddle_lin_records[p].results))
            p++;
        if (p == n_parts && heddle_lin_keeps_order(row))
            return 1;
    }
    return 0;
}

/* ---- what a failure looks like ---- */

static void heddle_lin_print_result(const struct heddle_lin_call *call,
                                    const unsigned char *result)
{
    if (!result)
        printf(" waits for ever");
    if (result && call->number) {
        long value;
        memcpy(&value, result, sizeof value);
        printf(" = %ld", value);
    } else if (result && call->op->result_bytes) {
        printf(" =");
        for (unsigned long i = 0; i < call->op->result_bytes; i++)
            printf(" %02x", result[i]);
    }
}

/* Does the call of the part wait for ever in the history? */
static int heddle_lin_hangs(int part, int i)
{
    const struct heddle_lin_record *record = &heddle_lin_records[part];
    return part && i == record->n && i < heddle_lin_scenario.parts[part].n &&
           (part == heddle_lin_scenario.n_threads + 1 || record->n_begun > i);
}

static void heddle_lin_print_part(const char *name, int number, int part)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    const struct heddle_lin_record *record = &heddle_lin_records[part];
    int n = record->n + heddle_lin_hangs(part, record->n);
    for (int i = 0; i < (part ? n : s->parts[0].n); i++) {
        printf("@ %s%.0d ", name, number);
        heddle_lin_print_call(&s->parts[part].calls[i]);
        heddle_lin_print_result(&s->parts[part].calls[i],
                                heddle_lin_hangs(part, i) ? 0 : record->results.bytes[i]);
        for (int t = 0; t < s->n_threads && number; t++)
            if (record->before[i][t])
                printf(" @after T%d %d", t + 1, record->before[i][t]);
        printf("\n");
    }
}

/* Operations by number, over all parts. */
struct heddle_lin_place {
    int part, index;
};

static int heddle_lin_places(struct heddle_lin_place *places)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    int n = 0;
    for (int p = 0; p < s->n_threads + 2; p++)
        for (int i = 0; i < (p ? heddle_lin_records[p].n : s->parts[0].n) +
                                heddle_lin_hangs(p, heddle_lin_records[p].n);
             i++) {
            places[n].part = p;
            places[n++].index = i;
        }
    return n;
}

/* Does the operation do in the row what it does in the history: return this, or wait? */
static int heddle_lin_fits(const struct heddle_lin_row *row, struct heddle_lin_place at)
{
    int p = at.part, k = at.index, n = heddle_lin_n_returned(row, p);
    if (heddle_lin_hangs(p, k))
        return n == k;
    return k < n && heddle_lin_same(&heddle_lin_scenario.parts[p].calls[k],
                                    row->results[p].bytes[k],
                                    heddle_lin_records[p].results.bytes[k]);
}

/* Do these operations contradict the order of the history: has no row that keeps it their
 * results? */
static int heddle_lin_contradict(const struct heddle_lin_place *chosen, int n)
{
    for (int r = 0; r < heddle_lin_n_rows; r++) {
        const struct heddle_lin_row *row = &heddle_lin_rows[r];
        int i = 0;
        while (i < n && heddle_lin_fits(row, chosen[i]))
            i++;
        if (i == n && heddle_lin_keeps_order(row))
            return 0;
    }
    return 1;
}

/* A smallest set of `size` operations that contradict each other; those from `from` on may be
 * added to the `n` that are chosen. */
static int heddle_lin_smallest(const struct heddle_lin_place *all, int n_all, int from,
                               struct heddle_lin_place *chosen, int n, int size)
{
    if (n == size)
        return heddle_lin_contradict(chosen, n);
    for (int i = from; i < n_all; i++) {
        chosen[n] = all[i];
        if (heddle_lin_smallest(all, n_all, i + 1, chosen, n + 1, size))
            return 1;
    }
    return 0;
}

/* The history, a line for each operation, and which of them contradict each other; `heddle lin`
 * makes a table of it. */
static void heddle_lin_print(void)
{
    struct heddle_lin_place all[(HEDDLE_LIN_THREADS + 2) * HEDDLE_LIN_CALLS], chosen[4];
    int n = heddle_lin_scenario.n_threads, n_all = heddle_lin_places(all), size = 1;
    printf("@ check %d\n", (int)heddle_lin_check);
    heddle_lin_print_part("first", 0, 0);
    for (int t = 0; t < n; t++)
        heddle_lin_print_part("T", t + 1, t + 1);
    heddle_lin_print_part("last", 0, n + 1);
    while (size < 4 && !heddle_lin_smallest(all, n_all, 0, chosen, 0, size))
        size++;
    for (int i = 0; i < size && size < 4; i++)
        printf("@ because %d %d\n", chosen[i].part, chosen[i].index);
    fflush(stdout);
}

/* Asked when no thread can move: does an order explain that these calls wait? */
static int heddle_lin_deadlock(void)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    for (int t = 0; t < s->n_threads; t++) {
        const struct heddle_lin_record *r = &heddle_lin_records[t + 1];
        if (!r->ended && r->n_begun != r->n + 1)
            return 0; /* it waits outside of its operations */
    }
    if (heddle_lin_explained())
        return 1;
    heddle_lin_print();
    return 0;
}

#endif
