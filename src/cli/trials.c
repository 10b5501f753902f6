#include "cli/trials.h"

#include "base/fs.h"
#include "base/version.h"
#include "report/json.h"

#include <stdio.h>
#include <string.h>

/* One number of the trials that found something. */
struct spread {
    double least, most, sum;
};

static void add(struct spread *s, double value, uint32_t before)
{
    s->least = before == 0 || value < s->least ? value : s->least;
    s->most = before == 0 || value > s->most ? value : s->most;
    s->sum += value;
}

struct trials {
    uint32_t n, found;
    struct spread states, seconds;
    double whole; /* seconds of all */
};

static void print(const struct trials *t, const struct hd_check *check)
{
    printf("%u trial%s, %u found a violation: error density %.2f\n", t->n, t->n == 1 ? "" : "s",
           t->found, t->n ? t->found / (double)t->n : 0.0);
    if (t->found)
        printf("  states:  %.0f at least, %.0f on average, %.0f at most\n"
               "  seconds: %.3f at least, %.3f on average, %.3f at most\n",
               t->states.least, t->states.sum / t->found, t->states.most, t->seconds.least,
               t->seconds.sum / t->found, t->seconds.most);
    if (!check->quiet)
        printf("  strategy: %s\n", check->strategy);
}

static void json_spread(struct hd_str *out, const char *name, const struct spread *s, uint32_t n)
{
    if (n)
        hd_str_appendf(out, ",\"%s\":{\"min\":%g,\"avg\":%g,\"max\":%g}", name, s->least,
                       s->sum / n, s->most);
}

static int write_json(const struct trials *t, const struct hd_check *check, struct hd_err *err)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_str_appendf(&out, "{\"heddle\":\"%s\",\"program\":", HD_VERSION);
    hd_json_string(&out, check->name);
    hd_str_append(&out, ",\"strategy\":");
    hd_json_string(&out, check->strategy);
    hd_str_appendf(&out, ",\"trials\":%u,\"found\":%u,\"density\":%.4f", t->n, t->found,
                   t->n ? t->found / (double)t->n : 0.0);
    json_spread(&out, "states", &t->states, t->found);
    json_spread(&out, "seconds", &t->seconds, t->found);
    hd_str_append(&out, "}\n");
    int failed = 0;
    if (strcmp(check->json, "-") == 0)
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(check->json, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

int hd_trials(const struct hd_check *check, const struct hd_job *job, struct hd_err *err)
{
    struct trials t = { 0 };
    struct hd_job one = *job;
    struct hd_result result;
    for (uint32_t i = 1; i <= check->trials && !*job->watch.interrupted; i++) {
        one.options.seed = i;
        int status = hd_supervise_explore(&one, &result, err);
        if (status != HD_EXIT_OK)
            return status;
        if (hd_result_violations(&result)) {
            /* searches that keep no states: what they have met is events */
            const struct hd_counters *c = &result.counters;
            add(&t.states, (double)(c->states ? c->states : c->events), t.found);
            add(&t.seconds, result.seconds, t.found);
            t.found++;
        }
        t.n++;
        hd_result_release(&result);
    }
    if (check->json && write_json(&t, check, err) != 0)
        return HD_EXIT_INPUT;
    if (!check->json || strcmp(check->json, "-") != 0)
        print(&t, check);
    return t.found ? HD_EXIT_VIOLATION : HD_EXIT_OK;
}
