/* heddle/lin_run.h - the program around the operations of heddle/lin.h, which includes it.
 *
 * A scenario is a text: INIT / T1 | T2 / FINAL, where each part is a list of calls such as
 * put(1); get.  INIT and FINAL run alone, before and after the threads.  main() runs the
 * calls one after the other in every order that keeps those of each thread; these are the
 * sequential outcomes.  Then it runs the threads side by side and looks for an order that
 * explains their results.
 *
 * An operation comes before another one of a history if it had returned when the other one
 * was called.  A thread stores how many of its operations have returned, and loads these
 * numbers of the other threads before each call.  So the program itself records the order,
 * and what the loads can read is explored like everything else.  Under C11's memory model
 * the accesses are release and acquire: an operation whose return was seen happens before
 * the call.  A load may also read an older number, and then nothing is ordered.  With
 * sequential consistency the accesses are seq_cst, so that they are no reason to leave it. */
#ifndef HEDDLE_LIN_RUN_H
#define HEDDLE_LIN_RUN_H

/* A scenario that `heddle lin --emit` has written. */
#ifndef HEDDLE_LIN_SCENARIO
#define HEDDLE_LIN_SCENARIO ""
#endif
#ifndef HEDDLE_LIN_CHECK
#define HEDDLE_LIN_CHECK 0
#endif
#ifndef HEDDLE_LIN_WEAK
#define HEDDLE_LIN_WEAK 0
#endif

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    HEDDLE_LIN_THREADS = 4,
    HEDDLE_LIN_CALLS = 8,        /* of one part */
    HEDDLE_LIN_MOST_ROWS = 5040, /* sequential orders */
    HEDDLE_LIN_COUNT = 15,       /* heddle_lin_returned[]: the number of calls */
    HEDDLE_LIN_HAS_VALUE = 128,  /* likewise: is the last result above it? */
};

enum heddle_lin_check {
    HEDDLE_LIN_LINEARIZABLE,
    HEDDLE_LIN_SEQUENTIAL, /* the order of operations of different threads does not count */
    HEDDLE_LIN_QUIESCENT,  /* it counts where nothing runs in between, and only there */
    HEDDLE_LIN_NONE,
};

struct heddle_lin_call {
    const struct heddle_lin_op *op;
    const struct heddle_lin_op *expected; /* what is run one after the other */
    long (*number)(long a, long b);
    void (*run)(long a, long b, void *result);
    long arguments[2];
};

struct heddle_lin_part {
    int n;
    struct heddle_lin_call calls[HEDDLE_LIN_CALLS];
};

/* parts[0] and parts[n_threads + 1] run alone, the others are threads. */
struct heddle_lin_scenario {
    int n_threads;
    struct heddle_lin_part parts[HEDDLE_LIN_THREADS + 2];
};

struct heddle_lin_results {
    unsigned char bytes[HEDDLE_LIN_CALLS][HEDDLE_LIN_RESULT_BYTES];
};

/* What a thread did: its results, and how many operations of the others had returned before
 * each call. */
struct heddle_lin_record {
    struct heddle_lin_results results;
    int n;       /* calls that have returned */
    int n_begun; /* calls that have begun, if some call may wait for ever */
    int ended;   /* the thread is behind its last call */
    unsigned char before[HEDDLE_LIN_CALLS][HEDDLE_LIN_THREADS];
};

/* One sequential order: the thread of each operation in turn (with its index, where threads
 * do not keep their order), and the results.  If it is stuck, the next call of every thread
 * that has one waits for ever. */
struct heddle_lin_row {
    unsigned char thread[HEDDLE_LIN_THREADS * HEDDLE_LIN_CALLS];
    unsigned char index[HEDDLE_LIN_THREADS * HEDDLE_LIN_CALLS];
    unsigned char position[HEDDLE_LIN_THREADS][HEDDLE_LIN_CALLS];
    unsigned char fails[HEDDLE_LIN_THREADS][HEDDLE_LIN_CALLS]; /* it does so without a reason */
    unsigned char stuck;
    int n_first, n_last; /* calls of the first and the last part that return */
    struct heddle_lin_results results[HEDDLE_LIN_THREADS + 2];
};

/* What a thread needs, copied when it begins: reading all this bit by bit would be steps of its
 * own. */
struct heddle_lin_job {
    int thread, n_threads;
    enum heddle_lin_check check;
    int weak;    /* C11's memory model is explored */
    int waiting; /* a call may wait for ever */
    struct heddle_lin_hooks hooks;
    struct heddle_lin_part part;
};

static struct heddle_lin_scenario heddle_lin_scenario;
static enum heddle_lin_check heddle_lin_check;
static int heddle_lin_status; /* of a run that comes to its end */
static int heddle_lin_weak; /* C11's memory model is explored */
static struct heddle_lin_row *heddle_lin_rows;
static int heddle_lin_n_rows, heddle_lin_room;
static int heddle_lin_waiting; /* a call waits for ever in a sequential run */
static struct heddle_lin_record heddle_lin_records[HEDDLE_LIN_THREADS + 2];
/* By thread, and for the parts that run alone: how many calls have returned. */
static unsigned long long heddle_lin_returned[HEDDLE_LIN_THREADS + 1];
static __thread int heddle_lin_now;

/* A model, linked with this program, defines it. */
__attribute__((weak)) struct heddle_lin_model heddle_lin_model;

__attribute__((unused)) static int heddle_lin_thread(void) { return heddle_lin_now; }

/* ---- the text of a scenario ---- */

static int heddle_lin_only_parses; /* what is wrong with a scenario is the answer */

static void heddle_lin_die(const char *what, const char *text)
{
    fprintf(heddle_lin_only_parses ? stdout : stderr, "heddle lin: %s: %s\n", what, text);
    exit(heddle_lin_only_parses ? 0 : 2);
}

static const char *heddle_lin_blanks(const char *text) { return text + strspn(text, " "); }

static struct heddle_lin_op *heddle_lin_find(struct heddle_lin_op *op, const char *name,
                                             size_t length)
{
    while (op && (strlen(op->name) != length || strncmp(op->name, name, length) != 0))
        op = op->next;
    return op;
}

/* The operation of the model, or the operation itself. */
static const struct heddle_lin_op *heddle_lin_expected(const struct heddle_lin_op *op)
{
    if (!heddle_lin_model.ops)
        return op;
    const struct heddle_lin_op *of = heddle_lin_find(*heddle_lin_model.ops, op->name,
                                                     strlen(op->name));
    if (!of)
        heddle_lin_die("the model has no such operation", op->name);
    if (of->n_arguments != op->n_arguments || of->result_bytes != op->result_bytes ||
        !of->number != !op->number)
        heddle_lin_die("the operation has other arguments or results in the model", op->name);
    return of;
}

static const char *heddle_lin_parse_call(const char *text, struct heddle_lin_call *call)
{
    size_t length = strcspn(text, "(;|/ ");
    call->op = heddle_lin_find(heddle_lin_ops, text, length);
    if (!call->op)
        heddle_lin_die("there is no such operation", text);
    call->expected = heddle_lin_expected(call->op);
    call->number = call->op->number;
    call->run = call->op->run;
    text = heddle_lin_blanks(text + length);
    for (int i = 0; i < call->op->n_arguments; i++) {
        char *end;
        if (*text != (i ? ',' : '('))
            heddle_lin_die("an argument is missing", text);
        call->arguments[i] = strtol(text + 1, &end, 10);
        unsigned long k = 0;
        while (k < call->op->n_domain[i] && call->op->domain[i][k] != call->arguments[i])
            k++;
        if (end == text + 1 || k == call->op->n_domain[i])
            heddle_lin_die("the argument is none of those that HEDDLE_IN names", text + 1);
        text = heddle_lin_blanks(end);
    }
    if (call->op->n_arguments && *text++ != ')')
        heddle_lin_die("a ) is missing", text - 1);
    return heddle_lin_blanks(text);
}

static const char *heddle_lin_parse_part(const char *text, struct heddle_lin_part *part)
{
    for (text = heddle_lin_blanks(text); *text && *text != '/' && *text != '|';) {
        if (part->n == HEDDLE_LIN_CALLS)
            heddle_lin_die("too many calls", text);
        text = heddle_lin_parse_call(text, &part->calls[part->n++]);
        if (*text == ';')
            text = heddle_lin_blanks(text + 1);
        else if (*text && *text != '/' && *text != '|')
            heddle_lin_die("expected ; | or /", text);
    }
    return text;
}

static void heddle_lin_parse(const char *text)
{
    struct heddle_lin_scenario *s = &heddle_lin_scenario;
    const char *at = heddle_lin_parse_part(text, &s->parts[0]);
    if (*at++ != '/')
        heddle_lin_die("a scenario is INIT / T1 | T2 / FINAL", text);
    do {
        if (s->n_threads == HEDDLE_LIN_THREADS)
            heddle_lin_die("too many threads", text);
        at = heddle_lin_parse_part(at, &s->parts[++s->n_threads]);
    } while (*at++ == '|');
    if (at[-1] != '/')
        heddle_lin_die("a scenario is INIT / T1 | T2 / FINAL", text);
    at = heddle_lin_parse_part(at, &s->parts[s->n_threads + 1]);
    if (*at)
        heddle_lin_die("a scenario is INIT / T1 | T2 / FINAL", text);
}

/* How many sequential orders there are at most; more than can be tried if that is so. */
static long heddle_lin_n_orders(void)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    long orders = 1, n = 0;
    for (int t = 1; t <= s->n_threads; t++)
        for (int i = 0; i < s->parts[t].n && orders <= 8L * HEDDLE_LIN_MOST_ROWS; i++) {
            orders = orders * ++n / (heddle_lin_check == HEDDLE_LIN_QUIESCENT ? 1 : i + 1);
            orders *= 1 + s->parts[t].calls[i].op->may_fail;
        }
    return orders;
}

/* ---- calls and returns ---- */

/* A thread loads before each call, and stores behind it.  Reports show these steps as the call
 * and the return (src/report/lin_calls.c), and no others of this file. */
static unsigned heddle_lin_load(const unsigned long long *from, int weak)
{
    return (unsigned)(weak ? __atomic_load_n(from, __ATOMIC_ACQUIRE)
                           : __atomic_load_n(from, __ATOMIC_SEQ_CST)) &
           HEDDLE_LIN_COUNT;
}

/* `n` calls have returned, the last one with this value, if it is a number. */
static void heddle_lin_store(unsigned long long *to, int n, int is_number, long value, int weak)
{
    const long most = 1L << 54;
    unsigned long long all = (unsigned)n;
    if (is_number && value >= -most && value < most)
        all |= HEDDLE_LIN_HAS_VALUE | (unsigned long long)value << 8;
    if (weak)
        __atomic_store_n(to, all, __ATOMIC_RELEASE);
    else
        __atomic_store_n(to, all, __ATOMIC_SEQ_CST);
}

#include <heddle/lin_rows.h>

/* ---- side by side ---- */

#ifdef __HEDDLE__
#define heddle_lin_meet(n) ((void)(n))
#else
/* Natively, threads begin together: they are short. */
static unsigned heddle_lin_met;

static void heddle_lin_meet(unsigned n)
{
    __atomic_add_fetch(&heddle_lin_met, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&heddle_lin_met, __ATOMIC_SEQ_CST) < n)
        ;
}
#endif

/* What is kept in local variables whose address goes nowhere costs no steps.  So numbers do not
 * go through heddle_lin_do(), and the record is copied once. */
static void *heddle_lin_work(void *argument)
{
    struct heddle_lin_job job = *(const struct heddle_lin_job *)argument;
    struct heddle_lin_record record;
    int ordered = job.check != HEDDLE_LIN_NONE && job.check != HEDDLE_LIN_SEQUENTIAL;
    memset(&record, 0, sizeof record);
    heddle_lin_thread_hook(job.hooks.thread_setup, job.thread);
    heddle_lin_meet((unsigned)job.n_threads);
    for (int i = 0; i < job.part.n; i++) {
        struct heddle_lin_call call = job.part.calls[i];
        long number = 0;
        for (int t = 0; t < job.n_threads; t++)
            if (ordered == (t != job.thread)) /* its own, if there is no order to keep */
                record.before[i][t] = (unsigned char)heddle_lin_load(&heddle_lin_returned[t],
                                                                     job.weak);
        if (job.waiting) { /* what a deadlock is judged by */
            record.n = i;
            record.n_begun = i + 1;
            heddle_lin_records[job.thread + 1] = record;
        }
        if (call.number) {
            number = call.number(call.arguments[0], call.arguments[1]);
            memcpy(record.results.bytes[i], &number, sizeof number);
        } else {
            unsigned char value[HEDDLE_LIN_RESULT_BYTES];
            heddle_lin_other(call.run, call.arguments[0], call.arguments[1], value);
            memcpy(record.results.bytes[i], value, sizeof value);
        }
        heddle_lin_store(&heddle_lin_returned[job.thread], i + 1, call.number != 0, number,
                         job.weak);
    }
    record.n = record.n_begun = job.part.n;
    record.ended = 1;
    heddle_lin_thread_hook(job.hooks.thread_teardown, job.thread);
    heddle_lin_records[job.thread + 1] = record;
    return 0;
}

/* Which calls the run of a scenario has, for reports. */
__attribute__((unused)) static void heddle_lin_print_calls(void)
{
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    for (int p = 0; p < s->n_threads + 2; p++)
        for (int i = 0; i < s->parts[p].n; i++) {
            printf("@ call %d ", p);
            heddle_lin_print_call(&s->parts[p].calls[i]);
            printf("\n");
        }
    fflush(stdout);
}

static void heddle_lin_side_by_side(void)
{
    static struct heddle_lin_job jobs[HEDDLE_LIN_THREADS];
    const struct heddle_lin_scenario *s = &heddle_lin_scenario;
    const struct heddle_lin_hooks *h = &heddle_lin_hooks;
    pthread_t threads[HEDDLE_LIN_THREADS];
    int n = s->n_threads;
    heddle_lin_hook(h->setup);
    heddle_lin_thread_hook(h->thread_setup, n);
    if (heddle_lin_alone(0, 0, &heddle_lin_records[0].results) < s->parts[0].n) {
        int the_first_calls_return_as_expected = heddle_lin_check == HEDDLE_LIN_NONE;
        heddle_assert(the_first_calls_return_as_expected);
        exit(heddle_lin_status);
    }
    for (int t = 0; t < n; t++) {
        struct heddle_lin_job job = {
            t, n, heddle_lin_check, heddle_lin_weak, heddle_lin_waiting, *h, s->parts[t + 1]
        };
        jobs[t] = job;
    }
    for (int t = 0; t < n; t++)
        heddle_assert(pthread_create(&threads[t], 0, heddle_lin_work, &jobs[t]) == 0);
    for (int t = 0; t < n; t++)
        pthread_join(threads[t], 0);
    for (int t = 0; t < n; t++) {
        int every_call_has_returned = heddle_lin_records[t + 1].n == s->parts[t + 1].n;
        heddle_assert(every_call_has_returned);
    }
    heddle_lin_records[n + 1].n = heddle_lin_alone(n + 1, 0, &heddle_lin_records[n + 1].results);
    heddle_lin_thread_hook(h->thread_teardown, n);
    heddle_lin_hook(h->teardown);
}

#include <heddle/lin_judge.h>

/* ---- the program ---- */

/* The first part waits for ever as expected.  Does it do so as it is?  Without a model it is
 * the same. */
static void heddle_lin_only_first(void)
{
    struct heddle_lin_results results;
    struct heddle_lin_row row;
    memset(&results, 0, sizeof results);
    memset(&row, 0, sizeof row);
    if (!heddle_lin_model.ops)
        return;
    heddle_lin_run_row(&row, 0);
    heddle_lin_hook(heddle_lin_hooks.setup);
    heddle_lin_thread_hook(heddle_lin_hooks.thread_setup, heddle_lin_scenario.n_threads);
    int n = heddle_lin_alone(0, 0, &results);
    int the_first_calls_wait_as_expected = n == row.n_first &&
                                           heddle_lin_same_part(0, n, &row.results[0], &results);
    heddle_assert(the_first_calls_wait_as_expected);
    heddle_lin_thread_hook(heddle_lin_hooks.thread_teardown, heddle_lin_scenario.n_threads);
    heddle_lin_hook(heddle_lin_hooks.teardown);
}

static void heddle_lin_run(void)
{
    struct heddle_lin_row row;
    memset(&row, 0, sizeof row);
    heddle_lin_n_rows = heddle_lin_waiting = 0;
    memset(heddle_lin_records, 0, sizeof heddle_lin_records);
    if (heddle_lin_check != HEDDLE_LIN_NONE && heddle_lin_orders(&row, 0) < 0) {
        heddle_lin_only_first(); /* the threads never begin */
        return;
    }
    if (heddle_lin_waiting)
        heddle_allow_deadlock(heddle_lin_deadlock);
    heddle_lin_side_by_side();
    if (heddle_lin_explained())
        return;
    heddle_lin_print();
#ifdef __HEDDLE__
    heddle_assert_fail("an order of the calls explains their results", __FILE__, __LINE__,
                       __func__);
#else
    abort();
#endif
}

static void heddle_lin_list(void)
{
    for (const struct heddle_lin_op *op = heddle_lin_ops; op; op = op->next)
        heddle_lin_expected(op); /* the model has it */
    for (const struct heddle_lin_op *op = heddle_lin_ops; op; op = op->next) {
        printf("%s %s%s", op->name, op->only ? op->only : "-", op->may_fail ? " may-fail" : "");
        for (int i = 0; i < op->n_arguments; i++) {
            printf(" :");
            for (unsigned long k = 0; k < op->n_domain[i]; k++)
                printf(" %ld", op->domain[i][k]);
        }
        printf("\n");
    }
}

/* The scenarios are lines of the text; one of them is chosen.  Returns how many there are. */
static int heddle_lin_choose(const char *text)
{
    const char *line = text;
    char one[1024];
    int n = 1;
    for (const char *c = text; *c; c++)
        n += *c == '\n';
    for (int skip = n > 1 ? heddle_choose(n) : 0; skip; skip--)
        line = strchr(line, '\n') + 1;
    size_t length = strcspn(line, "\n");
    if (length >= sizeof one)
        heddle_lin_die("the scenario is too long", line);
    memcpy(one, line, length);
    one[length] = 0;
    heddle_lin_parse(one);
    return n;
}

/* With an ordinary compiler: random scenarios of two threads, over and over. */
__attribute__((unused)) static void heddle_lin_random_part(struct heddle_lin_part *part, int most,
                                                           const char **tags)
{
    int n_ops = 0;
    for (const struct heddle_lin_op *op = heddle_lin_ops; op; op = op->next)
        n_ops++;
    for (int tries = 0; part->n < most && tries < 100; tries++) {
        const struct heddle_lin_op *op = heddle_lin_ops;
        for (int skip = rand() % n_ops; skip; skip--)
            op = op->next;
        if (tags && op->only && tags[0] && strcmp(op->only, tags[0]) == 0)
            continue; /* the other thread has it */
        if (tags && op->only)
            tags[1] = op->only;
        struct heddle_lin_call call = { op, heddle_lin_expected(op), op->number, op->run, { 0, 0 } };
        for (int i = 0; i < op->n_arguments; i++)
            call.arguments[i] = op->domain[i][(unsigned long)rand() % op->n_domain[i]];
        part->calls[part->n++] = call;
    }
}

__attribute__((unused)) static void heddle_lin_stress(int rounds)
{
    for (int i = 0; i < rounds && heddle_lin_ops; i++) {
        struct heddle_lin_scenario *s = &heddle_lin_scenario;
        const char *tags[2] = { 0, 0 };
        memset(s, 0, sizeof *s);
        memset(heddle_lin_returned, 0, sizeof heddle_lin_returned);
#ifndef __HEDDLE__
        heddle_lin_met = 0;
#endif
        s->n_threads = 2;
        heddle_lin_random_part(&s->parts[0], rand() % 3, 0);
        heddle_lin_random_part(&s->parts[1], 1 + rand() % 3, tags);
        tags[0] = tags[1];
        heddle_lin_random_part(&s->parts[2], 1 + rand() % 3, tags);
        heddle_lin_random_part(&s->parts[3], rand() % 3, 0);
        heddle_lin_run();
    }
}

/* `--operations` lists them, `--parse SCENARIO CHECK` says what is wrong with it.  Otherwise: a
 * scenario, what to check, the memory model. */
int main(int argc, char **argv)
{
    heddle_lin_model.thread = heddle_lin_thread;
    if (argc == 2 && strcmp(argv[1], "--operations") == 0) {
        heddle_lin_only_parses = 1;
        heddle_lin_list();
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "--parse") == 0) {
        heddle_lin_check = (enum heddle_lin_check)atoi(argv[3]);
        heddle_lin_only_parses = 1;
        heddle_lin_parse(argv[2]);
        if (heddle_lin_n_orders() > HEDDLE_LIN_MOST_ROWS)
            heddle_lin_die("too many sequential orders", "make the scenario smaller");
        puts("good");
        return 0;
    }
#ifdef __HEDDLE__
    if (argc < 2 && !*HEDDLE_LIN_SCENARIO)
        heddle_lin_die("no scenario", "give one as INIT / T1 | T2 / FINAL, or use `heddle lin`");
#else
    if (argc < 2 && !*HEDDLE_LIN_SCENARIO) {
        heddle_lin_stress(10000);
        free(heddle_lin_rows);
        return 0;
    }
#endif
    heddle_lin_check = (enum heddle_lin_check)(argc > 2 ? atoi(argv[2]) : HEDDLE_LIN_CHECK);
    heddle_lin_weak = argc > 3 ? strcmp(argv[3], "rc11") == 0 : HEDDLE_LIN_WEAK;
    heddle_lin_status = argc > 4 ? atoi(argv[4]) : 0;
#ifdef __HEDDLE__
    if (heddle_lin_choose(argc > 1 ? argv[1] : HEDDLE_LIN_SCENARIO) == 1)
        heddle_lin_print_calls();
#else
    heddle_lin_choose(argc > 1 ? argv[1] : HEDDLE_LIN_SCENARIO);
#endif
    heddle_lin_run();
    free(heddle_lin_rows);
    return heddle_lin_status;
}

#endif
