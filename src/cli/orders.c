/* heddle orders: the weakest memory orders with which a program is verified, or the smallest
 * repair of its orders (docs/design/020-orders.md). */
#include "base/fs.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/order_answers.h"
#include "cli/order_patch.h"
#include "cli/orders_request.h"
#include "report/step.h"
#include "report/text.h"
#include "report/verdict.h"
#include "strategy/strategy.h"
#include "supervise/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option { HELP = 1, PATCH, FORMAT, JSON, TIME, RESUME, QUIET, CC_FLAGS };

static const struct hd_arg table[] = {
    { PATCH, "patch", 0, NULL, "print a patch of the sources, for patch -p1 or git apply" },
    { FORMAT, "format", 0, "text|json|patch", "what goes to standard output (default text)" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { TIME, "time", 0, "DUR", "for everything together (default: no bound)" },
    { RESUME, "resume", 0, "FILE", "keep answers in FILE, and begin with those that it has" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { QUIET, "quiet", 'q', NULL, "no progress" },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)
#define HANG_SECONDS 5
#define SHARE 0.25 /* of the time that is left, for one exploration */

static void print_help(void)
{
    fputs("usage: heddle orders [options] PROGRAM | FILE.c… [-- args]\n\n"
          "Explores the program under C11's memory model with other memory orders than its own.  "
          "Of a\n"
          "program that is verified, every atomic access and fence gets the weakest order with "
          "which\n"
          "it still is, all of them together.  Of a broken one, as few orders as possible are "
          "made\n"
          "stronger until it is verified.\n\n",
          stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs("\nExit status: 0 verified with its own orders, 1 violation with its own orders, 2 "
          "usage or\n"
          "input error, 4 internal error.\n",
          stdout);
}

static int set_format(struct hd_orders_request *r, const char *value, struct hd_err *err)
{
    static const char *const names[] = { "text", "json", "patch" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(value, names[i]) == 0) {
            r->format = (enum hd_orders_format)i;
            return 0;
        }
    return hd_err_set(err, "--format %.20s: there are text, json, patch", value);
}

static int set_one(struct hd_orders_request *r, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case PATCH:
        r->format = HD_ORDERS_PATCH;
        return 0;
    case FORMAT:
        return set_format(r, value, err);
    case JSON:
        r->json = value;
        return 0;
    case TIME:
        return hd_args_duration("--time", value, &r->seconds, err);
    case RESUME:
        r->answers = value;
        return 0;
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &r->cc_flags, err);
    case QUIET:
        r->quiet = true;
        return 0;
    case HELP:
        r->help = true;
        return 0;
    default:
        hd_strs_add(&r->files, value);
        return 0;
    }
}

static int parse(struct hd_orders_request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &r->cc_flags;
    while ((id = hd_args_next(&args, &value, err)) >= 0)
        if (set_one(r, id, value, err) != 0)
            return -1;
    if (id == HD_ARG_BAD)
        return -1;
    r->args = hd_args_rest(&args);
    if (r->help)
        return 0;
    if (r->json && strcmp(r->json, "-") == 0) {
        if (r->format == HD_ORDERS_PATCH)
            return hd_err_set(err, "--patch and --json - both go to standard output: give a file "
                                   "to --json");
        r->format = HD_ORDERS_JSON;
        r->json = NULL;
    }
    if (r->files.n == 0)
        return hd_err_set(err, "no program: give C files or a program built by heddle; see "
                               "`heddle orders --help`");
    return 0;
}

/* ---- explorations ---- */

static void progress(struct hd_orders_run *r, const struct hd_live *live)
{
    if (r->request->quiet || !live->terminal)
        return;
    fprintf(stderr, "\r\033[K%u assignments explored, %u known", r->assignment.n_asked,
            r->assignment.n_answered);
}

/* One exploration.  A data race does not end it, but one is enough here. */
struct watch {
    struct hd_live live;
    volatile sig_atomic_t stop;
};

static void watch_progress(void *context, const struct hd_progress *p)
{
    struct watch *w = context;
    hd_live_show(&w->live, p);
    if (p->n_findings || hd_input_interrupted)
        w->stop = 1;
}

static enum hd_answered answer_of(struct hd_orders_run *r, const struct hd_result *result,
                                  const struct hd_job *job)
{
    struct hd_summary summary;
    enum hd_answered answer = HD_ANSWER_OPEN;
    hd_summary_init(&summary, result, &result->options, NULL, job->seconds, job->program);
    if (summary.verdict == HD_VIOLATION)
        answer = HD_ANSWER_BROKEN;
    else if (summary.verdict == HD_VERIFIED)
        answer = HD_ANSWER_VERIFIED;
    else if (hd_input_interrupted)
        answer = HD_ANSWER_STOP;
    else if (result->stop == HD_STOP_FINISHED && !r->unverified)
        r->unverified = hd_strdup(summary.downgrades.n ? summary.downgrades.items[0]
                                                       : "not everything was explored");
    hd_summary_release(&summary);
    return answer;
}

enum hd_answered hd_orders_explore(struct hd_orders_run *r, struct hd_program *program,
                                   const uint8_t *orders, struct hd_result *result)
{
    struct watch watch = { .stop = hd_input_interrupted };
    struct hd_live *live = &watch.live;
    hd_live_init(live, r->request->quiet, false);
    struct hd_job job = { .program = program,
                          .args = r->args.items,
                          .watch = { .hang_seconds = HANG_SECONDS,
                                     .interrupted = &watch.stop,
                                     .progress = watch_progress,
                                     .context = &watch } };
    double left = r->end - hd_watch_now();
    if (hd_input_interrupted || (r->end > 0 && left <= 0))
        return HD_ANSWER_STOP;
    if (r->end > 0)
        job.seconds = orders && r->assignment.n_asked ? left * SHARE : left;
    hd_input_defaults(&job.options);
    if (hd_strategy_preset(&job.options, "graph", r->err) != 0) {
        r->status = HD_EXIT_INTERNAL;
        return HD_ANSWER_STOP;
    }
    job.options.races = HD_RACES_ERROR;
    if (orders)
        hd_order_places_set(&r->places, orders, &job.options);
    progress(r, live);
    r->status = hd_supervise_explore(&job, result, r->err);
    if (live->terminal && !r->request->quiet)
        fprintf(stderr, "\r\033[K");
    if (r->status != HD_EXIT_OK)
        return HD_ANSWER_STOP;
    enum hd_answered answer = answer_of(r, result, &job);
    if (answer != HD_ANSWER_VERIFIED && answer != HD_ANSWER_BROKEN)
        hd_result_release(result);
    return answer;
}

static const struct hd_run *violation(const struct hd_result *result)
{
    uint32_t i = 0;
    while (i + 1 < result->n_runs && result->runs[i].warning)
        i++;
    return &result->runs[i];
}

static enum hd_answered ask(void *context, const uint8_t *orders, bool *occurs)
{
    struct hd_orders_run *r = context;
    struct hd_result result;
    if (hd_order_answers_write(r, r->err) != 0) { /* those before: this one may not come */
        r->status = HD_EXIT_INPUT;
        return HD_ANSWER_STOP;
    }
    enum hd_answered answer = hd_orders_explore(r, r->input.program, orders, &result);
    if (answer != HD_ANSWER_VERIFIED && answer != HD_ANSWER_BROKEN)
        return answer;
    if (answer == HD_ANSWER_VERIFIED)
        memcpy(r->seen, orders, r->places.n_variables);
    else
        hd_order_places_occur(&r->places, orders, violation(&result), occurs);
    hd_result_release(&result);
    return answer;
}

/* "an assertion fails: … at a.c:12 (reader)" */
static char *describe(struct hd_result *result, struct hd_program *program)
{
    struct hd_str text;
    uint32_t thread;
    for (uint32_t i = 0; i < result->n_runs; i++)
        hd_step_name_values(&result->runs[i], program);
    const struct hd_run *run = violation(result);
    struct hd_place place = hd_step_place(run, program, &thread);
    hd_str_init(&text);
    hd_str_appendf(&text, "%s: %s", hd_kind_words(run->finding.kind), run->finding.message);
    if (place.line) {
        hd_str_append(&text, "; at ");
        hd_step_where(&text, &place);
    }
    if (*place.function)
        hd_str_appendf(&text, " in %s", place.function);
    return hd_str_detach(&text);
}

/* The program with its own orders: which places does it come to, and what breaks? */
static enum hd_answered explore_own(struct hd_orders_run *r)
{
    struct hd_result result;
    uint32_t n = r->places.n_variables;
    bool *occurs = hd_alloc(n + 1);
    uint8_t *own = hd_alloc(n + 1);
    for (uint32_t i = 0; i < n; i++)
        own[i] = r->places.variables[i].own;
    enum hd_answered answer = hd_orders_explore(r, r->input.program, own, &result);
    if (answer == HD_ANSWER_VERIFIED) {
        hd_order_places_executed(&r->places, &result.counters);
        memcpy(r->seen, own, n);
        hd_assignment_learn(&r->assignment, own, NULL);
    } else if (answer == HD_ANSWER_BROKEN) {
        r->broken = describe(&result, r->input.program);
        hd_order_places_occur(&r->places, own, violation(&result), occurs);
        hd_assignment_learn(&r->assignment, own, occurs);
    }
    if (answer == HD_ANSWER_VERIFIED || answer == HD_ANSWER_BROKEN)
        hd_result_release(&result);
    r->assignment.n_asked++;
    free(occurs);
    free(own);
    return answer;
}

bool hd_orders_changed(const struct hd_orders_run *r, const struct hd_order_place *place)
{
    const uint8_t *found = r->assignment.found;
    const struct hd_variable *v = r->places.variables;
    return found[place->variable] != v[place->variable].own ||
           (place->failure != HD_NO_VARIABLE && found[place->failure] != v[place->failure].own);
}

/* ---- the command ---- */

/* Is what was found verified by an exploration of this process?  Answers from a file only save
 * work. */
static enum hd_answered confirm_found(struct hd_orders_run *r)
{
    struct hd_result result;
    if (memcmp(r->seen, r->assignment.found, r->places.n_variables) == 0)
        return HD_ANSWER_VERIFIED;
    enum hd_answered answer = hd_orders_explore(r, r->input.program, r->assignment.found,
                                                &result);
    r->assignment.n_asked++;
    if (answer == HD_ANSWER_VERIFIED || answer == HD_ANSWER_BROKEN)
        hd_result_release(&result);
    return answer;
}

static int search(struct hd_orders_run *r, struct hd_err *err)
{
    enum hd_answered answer = explore_own(r);
    if (answer == HD_ANSWER_STOP && r->status != HD_EXIT_OK)
        return r->status;
    if (answer == HD_ANSWER_OPEN && r->unverified) {
        hd_err_set(err, "%s is not verified with its own orders, so weaker ones say nothing: %s",
                   r->request->files.items[0], r->unverified);
        return HD_EXIT_INPUT;
    }
    if (answer == HD_ANSWER_OPEN || answer == HD_ANSWER_STOP) {
        r->outcome = HD_ASSIGNED_OPEN;
        return HD_EXIT_OK;
    }
    r->outcome = hd_assignment_find(&r->assignment);
    if (r->status == HD_EXIT_OK && hd_order_answers_write(r, err) != 0)
        r->status = HD_EXIT_INPUT;
    if (r->status != HD_EXIT_OK)
        return r->status;
    if (r->outcome != HD_ASSIGNED_RELAXED && r->outcome != HD_ASSIGNED_REPAIRED)
        return HD_EXIT_OK;
    answer = confirm_found(r);
    if (r->status != HD_EXIT_OK)
        return r->status;
    if (answer == HD_ANSWER_BROKEN) {
        hd_err_set(err, "%s says that orders are verified that are not: remove it",
                   r->request->answers ? r->request->answers : "an earlier answer");
        return r->request->answers ? HD_EXIT_INPUT : HD_EXIT_INTERNAL;
    }
    if (answer != HD_ANSWER_VERIFIED)
        r->outcome = HD_ASSIGNED_OPEN;
    return HD_EXIT_OK;
}

static int write_json(const struct hd_orders_run *r, struct hd_err *err)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_orders_json(&out, r);
    int failed = 0;
    if (r->request->format == HD_ORDERS_JSON)
        fputs(out.text, stdout);
    if (r->request->json)
        failed = hd_fs_write(r->request->json, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

static int report(const struct hd_orders_run *r, struct hd_err *err)
{
    if (r->request->format == HD_ORDERS_PATCH)
        fputs(r->patch.text, stdout);
    if (r->request->format != HD_ORDERS_JSON)
        hd_orders_print(r, r->request->format == HD_ORDERS_PATCH ? stderr : stdout);
    if (write_json(r, err) != 0)
        return HD_EXIT_INPUT;
    return r->broken ? HD_EXIT_VIOLATION : HD_EXIT_OK;
}

static int work(struct hd_orders_run *r, struct hd_err *err)
{
    const struct hd_orders_request *q = r->request;
    if (hd_order_places_init(&r->places, r->input.program, err) != 0)
        return HD_EXIT_INPUT;
    uint32_t n = r->places.n_variables;
    hd_assignment_init(&r->assignment, r->places.variables, n, ask, r);
    r->seen = hd_alloc(n + 1);
    memset(r->seen, 0xff, n);
    r->left = hd_alloc((r->places.n + 1) * sizeof *r->left);
    hd_strs_add(&r->args, q->files.items[0]);
    for (char **arg = q->args; *arg; arg++)
        hd_strs_add(&r->args, *arg);
    int status = hd_order_answers_read(r, err) == 0 ? search(r, err) : HD_EXIT_INPUT;
    if (status == HD_EXIT_OK && q->format == HD_ORDERS_PATCH)
        status = hd_order_patch(r, err);
    if (status == HD_EXIT_OK)
        status = report(r, err);
    hd_order_places_release(&r->places);
    hd_assignment_release(&r->assignment);
    free(r->seen);
    free(r->left);
    free(r->broken);
    free(r->unverified);
    return status;
}

static int run(const struct hd_orders_request *q, struct hd_err *err)
{
    struct hd_orders_run r = { .request = q, .begun = hd_watch_now(), .err = err };
    if (hd_input_open(&r.input, &q->files, &q->cc_flags, err) != 0)
        return HD_EXIT_INPUT;
    hd_input_catch_signals();
    r.end = q->seconds > 0 ? hd_watch_now() + q->seconds : 0;
    hd_strs_init(&r.args);
    hd_str_init(&r.patch);
    int status = work(&r, err);
    hd_strs_release(&r.args);
    hd_str_release(&r.patch);
    hd_input_close(&r.input);
    return status;
}

int hd_cmd_orders(int argc, char **argv)
{
    struct hd_orders_request q = { 0 };
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    hd_strs_init(&q.files);
    hd_strs_init(&q.cc_flags);
    if (parse(&q, argc, argv, &err) == 0) {
        status = HD_EXIT_OK;
        if (q.help)
            print_help();
        else
            status = run(&q, &err);
    }
    hd_strs_release(&q.files);
    hd_strs_release(&q.cc_flags);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
