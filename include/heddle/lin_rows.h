/* heddle/lin_rows.h - the calls of a scenario one after the other.  Part of heddle/lin_run.h,
 * which includes it. */
#ifndef HEDDLE_LIN_ROWS_H
#define HEDDLE_LIN_ROWS_H

static void heddle_lin_print_call(const struct heddle_lin_call *call)
{
    printf("%s(", call->op->name);
    for (int i = 0; i < call->op->n_arguments; i++)
        printf("%s%ld", i ? ", " : "", call->arguments[i]);
    printf(")");
}

/* An operation whose result is no number writes it through a pointer. */
static void heddle_lin_other(void (*run)(long, long, void *), long a, long b,
                             unsigned char *result)
{
    unsigned char value[HEDDLE_LIN_RESULT_BYTES] = { 0 };
    run(a, b, value);
    memcpy(result, value, sizeof value);
}

struct heddle_lin_trial {
    const struct heddle_lin_op *op;
    const long *arguments;
    unsigned char *result;
};

static void heddle_lin_try(void *trial)
{
    const struct heddle_lin_trial *t = (const struct heddle_lin_trial *)trial;
    long a = t->arguments[0], b = t->arguments[1];
    if (t->op->number) {
        long value = t->op->number(a, b);
        memcpy(t->result, &value, sizeof value);
    } else {
        heddle_lin_other(t->op->run, a, b, t->result);
    }
}

/* Does the call wait for ever, now that no other one runs?  Then it has changed nothing. */
static int heddle_lin_waits(const struct heddle_lin_call *call, int expected,
                            unsigned char *result)
{
    struct heddle_lin_trial trial = { expected ? call->expected : call->op, call->arguments,
                                      result };
    return heddle_blocks(heddle_lin_try, &trial);
}

/* A part that runs alone, as expected or as it is; the number of calls that return. */
static int heddle_lin_alone(int part, int expected, struct heddle_lin_results *results)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    unsigned long long *returned = &heddle_lin_returned[HEDDLE_LIN_THREADS];
    int i = 0;
    heddle_lin_now = s->n_threads;
    for (; i < s->parts[part].n; i++) {
        const struct heddle_lin_call *call = &s->parts[part].calls[i];
        long number = 0;
        if (!expected)
            heddle_lin_load(returned, heddle_lin_weak);
        if (heddle_lin_waits(call, expected, results->bytes[i]))
            break;
        memcpy(&number, results->bytes[i], sizeof number);
        if (!expected)
            heddle_lin_store(returned, i + 1, call->number != 0, number, heddle_lin_weak);
    }
    return i;
}

static void heddle_lin_hook(void (*hook)(void))
{
    if (hook)
        hook();
}

static void heddle_lin_thread_hook(void (*hook)(int), int thread)
{
    heddle_lin_now = thread;
    if (hook)
        hook(thread);
}

/* The first `n` operations in the order of the row; then the last part, if the threads have
 * ended.  Returns the position of the operation that waits for ever, or `n`; -1 if one of the
 * first part does. */
static int heddle_lin_run_row(struct heddle_lin_row *row, int n)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    const struct heddle_lin_hooks *h =
        heddle_lin_model.hooks ? heddle_lin_model.hooks : &heddle_lin_hooks;
    int i = 0, last = s->n_threads + 1;
    heddle_lin_hook(h->setup);
    for (int t = 0; t <= s->n_threads; t++)
        heddle_lin_thread_hook(h->thread_setup, t);
    row->n_first = heddle_lin_alone(0, 1, &row->results[0]);
    int began = row->n_first == s->parts[0].n;
    for (; began && i < n; i++) {
        int t = row->thread[i], k = row->index[i];
        const struct heddle_lin_call *call = &s->parts[t + 1].calls[k];
        heddle_lin_now = t;
        if (row->fails[t][k])
            memcpy(row->results[t + 1].bytes[k], &call->op->failure, sizeof(long));
        else if (heddle_lin_waits(call, 1, row->results[t + 1].bytes[k]))
            break;
    }
    row->n_last = 0;
    if (began && i == n && !row->stuck)
        row->n_last = heddle_lin_alone(last, 1, &row->results[last]);
    for (int t = 0; t <= s->n_threads; t++)
        heddle_lin_thread_hook(h->thread_teardown, t);
    heddle_lin_hook(h->teardown);
    return began ? i : -1;
}

static int heddle_lin_same(const struct heddle_lin_call *call, const unsigned char *a,
                           const unsigned char *b)
{
    const struct heddle_lin_op *op = call->op;
    if (op->result_bytes == 0)
        return 1;
    return op->same ? op->same(a, b) : memcmp(a, b, op->result_bytes) == 0;
}

/* The results of the first `n` calls of the part. */
static int heddle_lin_same_part(int part, int n, const struct heddle_lin_results *a,
                                const struct heddle_lin_results *b)
{
    const struct heddle_lin_part *p = &heddle_lin_scenario.parts[part];
    for (int i = 0; i < n; i++)
        if (!heddle_lin_same(&p->calls[i], a->bytes[i], b->bytes[i]))
            return 0;
    return 1;
}

/* The number of calls of the part that return in the row. */
static int heddle_lin_n_returned(const struct heddle_lin_row *row, int part)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    int n = 0;
    if (part == 0)
        return s->parts[0].n;
    if (part == s->n_threads + 1)
        return row->n_last;
    while (n < s->parts[part].n && row->position[part - 1][n])
        n++;
    return n;
}

/* Add the row, with its results.  It is run twice: what comes out must be the same.  Returns as
 * heddle_lin_run_row() does, and adds only what returns. */
static int heddle_lin_add_row(struct heddle_lin_row *row, int n)
{
    struct heddle_lin_row again = *row;
    int first = heddle_lin_run_row(row, n), second = heddle_lin_run_row(&again, n);
    int same = first == second && row->n_last == again.n_last;
    for (int p = 0; first == n && p < heddle_lin_scenario.n_threads + 2; p++)
        same = same && heddle_lin_same_part(p, heddle_lin_n_returned(row, p), &row->results[p],
                                            &again.results[p]);
    heddle_assert(same && "the operations give the same results when they run one after the "
                          "other a second time (HEDDLE_LIN_SAME compares results with padding)");
    if (first != n)
        return first;
    if (heddle_lin_n_rows == HEDDLE_LIN_MOST_ROWS)
        heddle_lin_die("too many sequential orders", "make the scenario smaller");
    if (heddle_lin_n_rows == heddle_lin_room) {
        heddle_lin_room = heddle_lin_room ? 2 * heddle_lin_room : 8;
        heddle_lin_rows = (struct heddle_lin_row *)realloc(
            heddle_lin_rows, (size_t)heddle_lin_room * sizeof *heddle_lin_rows);
    }
    if (row->n_last < heddle_lin_scenario.parts[heddle_lin_scenario.n_threads + 1].n)
        heddle_lin_waiting = 1;
    heddle_lin_rows[heddle_lin_n_rows++] = *row;
    return n;
}

/* The next call of every thread, if there is one, waits for ever after the first `n` operations
 * of the row: a row of its own.  `waits` has a bit for each thread. */
static void heddle_lin_add_stuck(const struct heddle_lin_row *row, int n, unsigned waits)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    struct heddle_lin_row stuck = *row;
    heddle_lin_waiting = 1;
    stuck.stuck = 1;
    for (int t = 0; t < s->n_threads; t++) {
        int k = heddle_lin_n_returned(row, t + 1);
        for (int i = k; i < s->parts[t + 1].n; i++)
            if (row->position[t][i])
                return; /* --check quiescent: no history ends with these calls */
        if (k < s->parts[t + 1].n && !(waits >> t & 1))
            return;
    }
    heddle_lin_add_row(&stuck, n);
}

/* All orders of which the first `n` operations are those in the row.  Returns the position of
 * one of these that waits for ever, `n` if none does; -1 if one of the first part does. */
static int heddle_lin_orders(struct heddle_lin_row *row, int n)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    int free_order = heddle_lin_check == HEDDLE_LIN_QUIESCENT, more = 0, at = n;
    unsigned waits = 0;
    for (int t = 0; t < s->n_threads; t++)
        for (int k = 0, first = 1; k < s->parts[t + 1].n; k++) {
            if (row->position[t][k])
                continue;
            more = 1;
            row->thread[n] = (unsigned char)t;
            row->index[n] = (unsigned char)k;
            row->position[t][k] = (unsigned char)(n + 1);
            for (int fails = 0; fails <= s->parts[t + 1].calls[k].op->may_fail; fails++) {
                row->fails[t][k] = (unsigned char)fails;
                at = heddle_lin_orders(row, n + 1);
                if (at < n)
                    break;
                if (at == n && first && !fails)
                    waits |= 1u << t;
            }
            row->fails[t][k] = row->position[t][k] = 0;
            if (at < n)
                return at;
            first = 0;
            if (!free_order)
                break;
        }
    if (waits)
        heddle_lin_add_stuck(row, n, waits);
    if (more)
        return n;
    struct heddle_lin_row whole = *row;
    return heddle_lin_add_row(&whole, n);
}

#endif
