#define _GNU_SOURCE
#include "cli/earlier.h"

#include "base/fs.h"
#include "cli/follow.h"
#include "cli/rerun.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_TRACES 32
#define MOST_BYTES (16u << 20) /* of one trace */
#define MOST_SECONDS 10.0      /* for all of them */

void hd_earlier_init(struct hd_earlier *earlier)
{
    earlier->n_tried = earlier->n_passed = 0;
    hd_strs_init(&earlier->found);
    hd_strs_init(&earlier->notes);
    hd_strs_init(&earlier->skipped);
}

void hd_earlier_release(struct hd_earlier *earlier)
{
    hd_strs_release(&earlier->found);
    hd_strs_release(&earlier->notes);
    hd_strs_release(&earlier->skipped);
}

/* A search that somebody has chosen is made; one that explores everything finds all that the
 * traces would show. */
bool hd_earlier_wanted(const struct hd_check *check)
{
    return !check->no_earlier && check->work == HD_CHECK_ALL && check->phases && !check->resume &&
           !check->trials && !check->options.keep_going;
}

/* ---- which traces ---- */

struct candidate {
    char *path;
    struct timespec made;
};

static int newest_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->made.tv_sec != y->made.tv_sec)
        return x->made.tv_sec > y->made.tv_sec ? -1 : 1;
    if (x->made.tv_nsec != y->made.tv_nsec)
        return x->made.tv_nsec > y->made.tv_nsec ? -1 : 1;
    return strcmp(x->path, y->path);
}

/* Is it STEM-KIND-N.trace? */
static bool is_named_after(const char *name, const char *stem)
{
    size_t n = strlen(stem);
    return strncmp(name, stem, n) == 0 && fnmatch("-*-*[0-9].trace", name + n, 0) == 0;
}

/* The traces of programs with that name, newest first; the caller frees. */
static struct candidate *list(const char *directory, const char *stem, uint32_t *n)
{
    struct candidate *all = NULL;
    const struct dirent *entry;
    DIR *dir = opendir(directory);
    *n = 0;
    while (dir && (entry = readdir(dir))) {
        struct stat st;
        if (!is_named_after(entry->d_name, stem))
            continue;
        char *path = hd_fs_join(directory, entry->d_name);
        if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MOST_BYTES) {
            free(path);
            continue;
        }
        all = hd_realloc(all, (*n + 1) * sizeof *all);
        all[(*n)++] = (struct candidate){ path, st.st_mtim };
    }
    if (dir)
        closedir(dir);
    if (*n)
        qsort(all, *n, sizeof *all, newest_first);
    return all;
}

static bool same_words(const struct hd_strs *a, const struct hd_strs *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; same && i < a->n; i++)
        same = strcmp(a->items[i], b->items[i]) == 0;
    return same;
}

static bool same_arguments(const struct hd_trace *trace, char *const *args)
{
    size_t n = 0;
    while (args[n] && n < trace->head.args.n && strcmp(args[n], trace->head.args.items[n]) == 0)
        n++;
    return !args[n] && n == trace->head.args.n;
}

static bool same_memory(const struct hd_trace *trace, const struct hd_check *check)
{
    uint32_t memory = trace->head.memory;
    return memory == check->options.memory || hd_memory_is_sc(memory) ||
           (hd_memory_is_rc11(memory) && !check->strong && !check->targets.n &&
            !check->invariants.n);
}

/* Is everything that shapes the program's steps what this check asks for? */
static bool same_world(const struct hd_trace *trace, const struct hd_check *check)
{
    const struct hd_trace_head *h = &trace->head;
    const struct hd_options *o = &check->options;
    return h->seed == o->seed && h->expect_exit == o->expect_exit &&
           h->no_timeouts == o->no_timeouts && h->spurious == o->spurious &&
           (h->polls == 0 || h->polls == o->polls) &&
           memcmp(&h->faults, &o->faults, sizeof o->faults) == 0 &&
           memcmp(&h->nondet, &o->nondet, sizeof o->nondet) == 0 &&
           memcmp(&h->input, &o->input, sizeof o->input) == 0 && h->leaks == o->leaks &&
           h->files_off == o->files_off && h->volatile_ok == o->volatile_ok && h->rules.n == 0 &&
           o->suppressions.n_volatile == 0 && same_memory(trace, check);
}

/* Is it looked for, and can it be shown again in a moment? */
static bool is_wanted(enum hd_kind kind, const struct hd_options *o)
{
    switch (kind) {
    case HD_KIND_NONE:
    case HD_KIND_NO_PROGRESS: /* it takes --hang */
    case HD_KIND_OBJECTION:   /* it takes the checker */
        return false;
    case HD_KIND_DATA_RACE:
        return o->races == HD_RACES_ERROR && o->suppressions.n_races == 0;
    case HD_KIND_LIVELOCK:
        return !o->no_livelocks;
    default:
        return true;
    }
}

static bool is_of(const struct hd_trace *trace, const struct hd_input *input)
{
    char build[33];
    hd_program_build(input->program, build);
    return hd_trace_changed(trace, input->program) || strcmp(build, trace->head.build) == 0;
}

/* Why the trace is not tried; NULL: it is. */
static const char *against(const struct hd_trace *trace, const struct hd_check *check)
{
    if (!trace->by_user)
        return "it was not made by this user";
    if (!same_arguments(trace, check->args))
        return "it has other arguments of the program";
    if (!same_words(&trace->head.invariants, &check->invariants) ||
        !same_words(&trace->head.targets, &check->targets) || !same_world(trace, check))
        return "it was made with other options";
    return is_wanted(trace->kind, &check->options) ? NULL
                                                   : "this check does not look for its kind";
}

/* ---- trying them ---- */

struct attempt {
    const struct hd_check *check;
    const struct hd_input *input;
    struct hd_earlier *earlier;
    struct hd_result *result;
    double deadline;
};

/* Runs the schedule, as far as it goes.  On success the caller releases the run. */
static bool run_trace(const struct attempt *a, const struct hd_trace *trace, const char *path,
                      struct hd_run *run, struct hd_followed *followed)
{
    struct hd_rerun rerun;
    struct hd_err ignored;
    bool changed = hd_trace_changed(trace, a->input->program), done = false;
    const char *name = a->check->files.items[0];
    if (hd_rerun_init(&rerun, trace, path, a->input, name, changed, &ignored) == 0) {
        rerun.job.watch.hang_seconds = a->check->hang_seconds;
        rerun.job.watch.deadline = a->deadline;
        rerun.job.options.threads = a->check->options.threads;
        rerun.job.options.until = 4 * trace->n_steps + 10000;
        done = (!changed ||
                hd_follow(&rerun, trace, a->input->program, followed, &ignored) == 0) &&
               hd_supervise_replay(&rerun.job, &rerun.script, run, &ignored) == HD_EXIT_OK;
        if (done && ((!run->found && run->status != HD_REPLAY_END) || run->scheduled_only ||
                     hd_rerun_allowed(trace, path, run, &ignored) != 0)) {
            hd_run_release(run);
            done = false;
        }
    }
    hd_rerun_release(&rerun);
    return done;
}

static void count(struct hd_result *r, struct hd_run *run)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        steps += !(run->log[i].flags & HD_STEP_SOLO);
    r->counters.executions++;
    r->counters.events += steps;
    r->counters.max_depth = r->counters.max_depth > steps ? r->counters.max_depth : steps;
    r->n_threads = r->n_threads > run->threads.n ? r->n_threads : run->threads.n;
    r->peak_rss_kb = r->peak_rss_kb > run->peak_rss_kb ? r->peak_rss_kb : run->peak_rss_kb;
    run->finding.execution = r->counters.executions;
    run->finding.n_steps = steps;
    run->finding.preemptions = hd_run_preemptions(run);
}

/* Is it a violation that the result does not have yet, and can have?  Its runs share a memory
 * model and the addresses that come back. */
static bool is_new(const struct attempt *a, const struct hd_trace *trace,
                   const struct hd_run *run)
{
    const struct hd_result *r = a->result;
    if (!run->found || !is_wanted(run->finding.kind, &a->check->options))
        return false;
    if (r->n_runs &&
        (r->runs_memory != trace->head.memory ||
         memcmp(&r->options.reuse, &trace->head.reuse, sizeof r->options.reuse) != 0))
        return false;
    for (uint32_t i = 0; i < r->n_runs; i++)
        if (hd_finding_same(&r->runs[i].finding, &run->finding))
            return false;
    return true;
}

static void keep(const struct attempt *a, const struct hd_trace *trace, const char *path,
                 const struct hd_run *run, const struct hd_followed *followed)
{
    struct hd_result *r = a->result;
    if (r->n_runs == 0) {
        r->runs_memory = r->options.memory = trace->head.memory;
        r->options.reuse = trace->head.reuse;
        r->threads = run->threads;
    }
    r->runs[r->n_runs++] = *run;
    hd_strs_add(&a->earlier->found, path);
    struct hd_str note;
    hd_str_init(&note);
    hd_str_appendf(&note, "%llu execution%s", (unsigned long long)r->counters.executions,
                   r->counters.executions == 1 ? "" : "s");
    if (followed->changed)
        hd_str_appendf(&note, "; the program has changed since; followed %u of %u steps",
                       followed->n, trace->n_steps);
    hd_strs_add(&a->earlier->notes, note.text);
    hd_str_release(&note);
}

static void try_one(const struct attempt *a, const char *path)
{
    struct hd_trace trace;
    struct hd_err ignored;
    if (hd_trace_read(&trace, path, &ignored) != 0) {
        hd_strs_addf(&a->earlier->skipped, "%s: it cannot be read", path);
        return;
    }
    const char *why = trace.bare || !is_of(&trace, a->input) ? "it is of another program"
                                                             : against(&trace, a->check);
    struct hd_run run;
    struct hd_followed followed = { 0 };
    if (why) {
        hd_strs_addf(&a->earlier->skipped, "%s: %s", path, why);
    } else {
        a->earlier->n_tried++;
        if (run_trace(a, &trace, path, &run, &followed)) {
            count(a->result, &run);
            a->earlier->n_passed += !run.found;
            if (is_new(a, &trace, &run))
                keep(a, &trace, path, &run, &followed);
            else
                hd_run_release(&run);
        }
    }
    hd_trace_release(&trace);
}

/* What is worse than a race comes first, as in supervise/confirm.c. */
static void races_last(struct hd_result *r)
{
    struct hd_run *sorted = hd_alloc((r->n_runs + 1) * sizeof *sorted);
    uint32_t n = 0;
    for (int races = 0; races < 2; races++)
        for (uint32_t i = 0; i < r->n_runs; i++)
            if ((r->runs[i].finding.kind == HD_KIND_DATA_RACE) == races)
                sorted[n++] = r->runs[i];
    free(r->runs);
    r->runs = sorted;
}

bool hd_earlier_try(const struct hd_check *check, const struct hd_input *input,
                    struct hd_earlier *earlier, struct hd_result *result)
{
    double began = hd_watch_now();
    struct attempt a = { .check = check,
                         .input = input,
                         .earlier = earlier,
                         .result = result,
                         .deadline = began + MOST_SECONDS };
    char *stem = hd_fs_with_extension(check->files.items[0], "");
    uint32_t n;
    struct candidate *all = list(check->trace_dir, stem, &n);
    free(stem);
    *result = (struct hd_result){ .stop = HD_STOP_VIOLATION, .n_workers = 1, .n_starts = 1 };
    result->options = check->options;
    result->runs_search = check->options.search;
    result->runs = hd_alloc((n + 1) * sizeof *result->runs);
    for (uint32_t i = 0; i < n; i++) {
        if (earlier->n_tried < MOST_TRACES && !hd_input_interrupted &&
            hd_watch_now() < a.deadline)
            try_one(&a, all[i].path);
        free(all[i].path);
    }
    free(all);
    races_last(result);
    result->seconds = hd_watch_now() - began;
    if (result->n_runs)
        return true;
    hd_result_release(result);
    return false;
}
