#include "cli/trials_report.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "strategy/trials.h"

#include <stdio.h>
#include <string.h>

static void print(const struct hd_trials *t, const struct hd_check *check)
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

static void json_spread(struct hd_str *out, const char *name, const struct hd_spread *s,
                        uint32_t n)
{
    if (n)
        hd_str_appendf(out, ",\"%s\":{\"min\":%g,\"avg\":%g,\"max\":%g}", name, s->least,
                       s->sum / n, s->most);
}

static int write_json(const struct hd_trials *t, const struct hd_check *check, struct hd_err *err)
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

int hd_trials_report(const struct hd_check *check, const struct hd_job *job, struct hd_err *err)
{
    struct hd_trials t;
    struct hd_trials_request request = { .n = check->trials,
                                         .at_a_time = check->trials_at_a_time,
                                         .targets = &check->targets };
    int status = hd_trials_run(&request, job, &t, err);
    if (status != HD_EXIT_OK)
        return status;
    if (check->json && write_json(&t, check, err) != 0)
        return HD_EXIT_INPUT;
    if (!check->json || strcmp(check->json, "-") != 0)
        print(&t, check);
    return t.found ? HD_EXIT_VIOLATION : HD_EXIT_OK;
}
