#include "cli/lin_request.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "cli/commands.h"
#include "report/history.h"
#include "supervise/autopsy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The failing scenario by itself, as heddle check reports it. */
static int report_failing(struct hd_lin *l)
{
    struct hd_strs args;
    hd_strs_init(&args);
    hd_strs_add(&args, "check");
    if (l->verbose)
        hd_strs_add(&args, "--verbose");
    if (l->html) {
        hd_strs_add(&args, "--html");
        hd_strs_add(&args, l->html);
    }
    if (l->trace_dir) {
        hd_strs_add(&args, "--trace-dir");
        hd_strs_add(&args, l->trace_dir);
    }
    hd_strs_add(&args, "--expect-exit");
    hd_strs_addf(&args, "%d", HD_LIN_EXIT);
    hd_strs_add(&args, "--memory");
    hd_strs_add(&args, l->weak ? "rc11" : "sc");
    if (l->races_word) {
        hd_strs_add(&args, "--races");
        hd_strs_add(&args, l->races_word);
    }
    if (!l->weak) {
        hd_strs_add(&args, "--strategy");
        hd_strs_add(&args, "optimal");
    }
    if (l->cc_flags.n) {
        struct hd_str flags;
        hd_str_init(&flags);
        for (size_t i = 0; i < l->cc_flags.n; i++) {
            hd_str_append(&flags, i ? " " : "");
            hd_input_option_word(&flags, l->cc_flags.items[i]);
        }
        hd_strs_add(&args, "--cc-flags");
        hd_strs_add(&args, flags.text);
        hd_str_release(&flags);
    }
    hd_strs_add_all(&args, &l->files);
    hd_strs_add(&args, "--");
    hd_strs_add(&args, l->failing);
    hd_strs_addf(&args, "%llu", (unsigned long long)l->check);
    hd_strs_add(&args, l->weak ? "rc11" : "sc");
    hd_strs_addf(&args, "%d", HD_LIN_EXIT);
    int status = hd_check_opened((int)args.n, args.items, &l->input);
    hd_strs_release(&args);
    return status;
}

/* "up to 3 threads and 4 calls side by side, 1 before and 1 after" */
static void describe_bounds(const struct hd_lin *l, struct hd_str *out)
{
    const struct hd_scenario_bounds *b = &l->bounds;
    hd_str_appendf(out,
                   "up to %u threads with %u calls together (%u in one), %u before, %u after",
                   b->threads, b->together, b->per_thread, b->before, b->after);
}

static bool is_verified(const struct hd_lin *l)
{
    return !l->failing && l->all && l->downgrades.n == 0 && l->sc.length == 0;
}

/* "2 + 1 + 1, 2 + 2": the calls of the threads in scenarios that were left.  False: none. */
static bool describe_left(const struct hd_lin *l, struct hd_str *out)
{
    for (uint32_t i = 0; i < l->n_kinds; i++)
        for (uint32_t t = 0; l->kinds[i].left && t < l->kinds[i].shape.n_threads; t++)
            hd_str_appendf(out, "%s%u",
                           t             ? " + "
                           : out->length ? ", "
                                         : "",
                           l->kinds[i].shape.length[t]);
    return out->length != 0;
}

static const char *verdict_word(const struct hd_lin *l)
{
    return l->failing ? "violation" : is_verified(l) ? "verified" : "no-violation-found";
}

static const char *property(const struct hd_lin *l)
{
    static const char *const words[] = { "linearizable", "sequentially consistent",
                                         "quiescently consistent",
                                         "free of violations (results were not compared)" };
    return words[l->check];
}

/* Random scenarios among those that were tried. */
static unsigned long long n_random(const struct hd_lin *l)
{
    return l->random && l->n_done > l->n_all ? l->n_done - l->n_all : 0;
}

static void print_counts(const struct hd_lin *l)
{
    struct hd_str bounds;
    hd_str_init(&bounds);
    describe_bounds(l, &bounds);
    if (!l->scenario)
        printf("  %s\n", bounds.text);
    if (n_random(l))
        printf("  and no violation in %llu random larger ones (--seed %llu)\n", n_random(l),
               (unsigned long long)l->seed);
    printf("  %llu executions, %llu events, in %.2f s\n",
           (unsigned long long)l->counters.executions, (unsigned long long)l->counters.events,
           hd_watch_now() - l->begun);
    if (l->race.length)
        printf("  warning: data race: %s\n", l->race.text);
    for (size_t i = 0; i < l->downgrades.n; i++)
        printf("  not exhaustive: %s\n", l->downgrades.items[i]);
    if (l->sc.length)
        printf("  not exhaustive: C11's executions were not explored: %s\n", l->sc.text);
    for (size_t i = 0; i < l->assumptions.n; i++)
        printf("  assuming: %s\n", l->assumptions.items[i]);
    printf("  memory model: %s\n", l->weak ? "C11 (RC11)" : "sequential consistency");
    hd_str_release(&bounds);
}

static void print_passed(const struct hd_lin *l)
{
    unsigned long long n = l->n_done - n_random(l), within = l->n_complete;
    const char *s = n == 1 ? "scenario" : "scenarios";
    struct hd_str kinds;
    hd_str_init(&kinds);
    bool left = describe_left(l, &kinds);
    if (is_verified(l) && left)
        printf("%s: verified for %llu %s, all but those with %s calls\n", property(l), n, s,
               kinds.text);
    else if (is_verified(l))
        printf("%s: verified for %s%llu %s\n", property(l), n == 1 ? "" : "all ", n, s);
    else
        printf("no-violation-found: %llu %s explored%s\n", n, s,
               l->stopped ? ", then a budget was used up or somebody stopped it" : "");
    print_counts(l);
    if (left)
        printf("  scenarios with %s calls in the threads were left after %d executions "
               "(--calls %u explores them to the end)\n",
               kinds.text, HD_LIN_BUDGET, l->bounds.together);
    if (l->stopped && l->calls)
        printf("  these are all scenarios with at most %u calls%s\n", l->calls,
               n > within ? ", and some larger ones" : "");
    hd_str_release(&kinds);
}

static int write_json(const struct hd_lin *l, struct hd_err *err)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_str_appendf(&out, "{\"heddle\": \"%s\", \"program\": ", HD_VERSION);
    hd_json_string(&out, l->files.items[0]);
    hd_str_appendf(&out,
                   ", \"verdict\": \"%s\", \"check\": \"%s\", \"scenarios\": %llu, "
                   "\"executions\": %llu, \"events\": %llu, \"seconds\": %.3f, \"memory\": "
                   "\"%s\"",
                   verdict_word(l), hd_lin_checks[l->check], l->n_done - n_random(l),
                   (unsigned long long)l->counters.executions,
                   (unsigned long long)l->counters.events, hd_watch_now() - l->begun,
                   l->weak ? "rc11" : "sc");
    if (l->stopped && l->calls)
        hd_str_appendf(&out, ", \"complete\": {\"calls\": %u, \"scenarios\": %llu}", l->calls,
                       (unsigned long long)l->n_complete);
    struct hd_str kinds;
    hd_str_init(&kinds);
    if (describe_left(l, &kinds)) {
        hd_str_append(&out, ", \"left\": ");
        hd_json_string(&out, kinds.text);
    }
    hd_str_release(&kinds);
    if (l->random)
        hd_str_appendf(&out, ", \"random\": %llu, \"seed\": %llu", n_random(l),
                       (unsigned long long)l->seed);
    hd_str_append(&out, ", \"scenario\": ");
    if (l->failing)
        hd_json_string(&out, l->failing);
    else
        hd_str_append(&out, "null");
    hd_str_append(&out, ", \"history\": ");
    if (l->history.length)
        hd_json_string(&out, l->history.text);
    else
        hd_str_append(&out, "null");
    if (l->race.length) {
        hd_str_append(&out, ", \"race\": ");
        hd_json_string(&out, l->race.text);
    }
    hd_str_append(&out, ", \"downgrades\": [");
    for (size_t i = 0; i < l->downgrades.n; i++) {
        hd_str_append(&out, i ? ", " : "");
        hd_json_string(&out, l->downgrades.items[i]);
    }
    if (l->sc.length) {
        hd_str_append(&out, l->downgrades.n ? ", " : "");
        hd_json_string(&out, l->sc.text);
    }
    hd_str_append(&out, "]}\n");
    int failed = 0;
    if (strcmp(l->json, "-") == 0)
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(l->json, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

int hd_lin_report(struct hd_lin *l, struct hd_err *err)
{
    bool quiet = l->json && strcmp(l->json, "-") == 0;
    int status = HD_EXIT_OK;
    if (l->json && write_json(l, err) != 0)
        return HD_EXIT_INPUT;
    if (l->failing && !quiet) {
        printf("%s\n  in the scenario  %s\n\n",
               l->history.length ? hd_history_title(l->history.text)
                                 : "a scenario breaks the program",
               l->failing);
        status = report_failing(l);
    } else if (!quiet) {
        print_passed(l);
    }
    if (l->stopped && l->checkpoint && !l->failing && !quiet)
        printf("  to go on: the same command with --resume %s\n", l->checkpoint);
    if (l->failing && l->emit && hd_lin_emit(l, err) != 0)
        return HD_EXIT_INPUT;
    if (status == HD_EXIT_INTERNAL || status == HD_EXIT_INPUT)
        return status;
    return l->failing                      ? HD_EXIT_VIOLATION
           : l->require && !is_verified(l) ? HD_EXIT_UNVERIFIED
                                           : HD_EXIT_OK;
}
