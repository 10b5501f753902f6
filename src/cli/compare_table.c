#include "cli/compare_table.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "core/finding.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

static double executions(const struct hd_compared_run *r)
{
    return (double)r->counters.executions;
}
static double events(const struct hd_compared_run *r) { return (double)r->counters.events; }
static double seconds(const struct hd_compared_run *r) { return r->seconds; }

/* By Newton's method: no program of ours needs the library of mathematics. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 200 && x > 0; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

void hd_compared_spread(const struct hd_compared *c,
                        double (*value)(const struct hd_compared_run *run),
                        struct hd_compared_spread *s)
{
    double squares = 0;
    *s = (struct hd_compared_spread){ 0 };
    for (uint32_t i = 0; i < c->n; i++) {
        double v = value(&c->runs[i]);
        s->mean += v / c->n;
        s->least = i == 0 || v < s->least ? v : s->least;
        s->most = i == 0 || v > s->most ? v : s->most;
    }
    for (uint32_t i = 0; i < c->n; i++)
        squares += (value(&c->runs[i]) - s->mean) * (value(&c->runs[i]) - s->mean);
    s->deviation = c->n > 1 ? root(squares / (c->n - 1)) : 0;
}

static uint32_t found(const struct hd_compared *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        n += c->runs[i].kind != NULL;
    return n;
}

/* ---- the terminal ---- */

void hd_compared_print_head(bool several)
{
    if (several)
        printf("%-14s %9s %12s %10s %10s %10s %9s %9s\n", "strategy", "found", "executions",
               "deviation", "least", "most", "seconds", "deviation");
    else
        printf("%-14s %-18s %-10s %10s %10s %11s %9s %6s\n", "strategy", "verdict", "found",
               "executions", "states", "transitions", "seconds", "MB");
}

void hd_compared_print(const struct hd_compared *c, bool several)
{
    const char *name = hd_fs_base(c->strategy);
    if (*c->why) {
        printf("%-14s %s\n", name, c->why);
        return;
    }
    const struct hd_compared_run *r = c->runs;
    struct hd_compared_spread e, s;
    hd_compared_spread(c, executions, &e);
    hd_compared_spread(c, seconds, &s);
    if (several)
        printf("%-14s %4u/%-4u %12.1f %10.1f %10.0f %10.0f %9.3f %9.3f\n", name, found(c), c->n,
               e.mean, e.deviation, e.least, e.most, s.mean, s.deviation);
    else
        printf("%-14s %-18s %-10s %10llu %10llu %11llu %9.3f %6llu\n", name,
               hd_verdict_text(r->verdict), r->kind ? r->kind : "-",
               (number)r->counters.executions, (number)r->counters.states,
               (number)r->counters.events, r->seconds, (number)(r->kb / 1024));
    fflush(stdout);
}

/* ---- files ---- */

static void json_spread(struct hd_str *out, const char *name, const struct hd_compared *c,
                        double (*value)(const struct hd_compared_run *run))
{
    struct hd_compared_spread s;
    hd_compared_spread(c, value, &s);
    hd_str_appendf(out, "\"%s\":{\"mean\":%.6f,\"deviation\":%.6f,\"min\":%.6f,\"max\":%.6f}",
                   name, s.mean, s.deviation, s.least, s.most);
}

static void json_numbers(struct hd_str *out, const struct hd_compared_run *r)
{
    const struct hd_counters *c = &r->counters;
    hd_str_appendf(out, "\"verdict\":\"%s\"", hd_verdict_text(r->verdict));
    if (r->kind)
        hd_str_appendf(out, ",\"kind\":\"%s\"", r->kind);
    hd_str_appendf(out,
                   ",\"executions\":%llu,\"blocked\":%llu,\"pruned\":%llu,\"bounded\":%llu,"
                   "\"states\":%llu,\"events\":%llu,\"seconds\":%.6f,\"peak_rss_kb\":%llu",
                   (number)c->executions, (number)c->blocked, (number)c->pruned,
                   (number)c->bounded, (number)c->states, (number)c->events, r->seconds,
                   (number)r->kb);
}

/* The numbers of the first run, and of several their spread. */
void hd_compared_json(struct hd_str *out, const struct hd_compared *rows, size_t n)
{
    hd_str_appendf(out, "{\"heddle\":\"%s\",\"strategies\":[", HD_VERSION);
    for (size_t i = 0; i < n; i++) {
        const struct hd_compared *c = &rows[i];
        hd_str_appendf(out, "%s{\"strategy\":", i ? "," : "");
        hd_json_string(out, hd_fs_base(c->strategy));
        hd_str_append_char(out, ',');
        if (*c->why) {
            hd_str_append(out, "\"error\":");
            hd_json_string(out, c->why);
        } else {
            json_numbers(out, c->runs);
        }
        if (c->n > 1) {
            hd_str_appendf(out, ",\"of_all\":{\"runs\":%u,\"found\":%u,", c->n, found(c));
            json_spread(out, "executions", c, executions);
            hd_str_append_char(out, ',');
            json_spread(out, "events", c, events);
            hd_str_append_char(out, ',');
            json_spread(out, "seconds", c, seconds);
            hd_str_append(out, "},\"runs\":[");
            for (uint32_t k = 0; k < c->n; k++) {
                hd_str_appendf(out, "%s{\"seed\":%llu,", k ? "," : "", (number)c->runs[k].seed);
                json_numbers(out, &c->runs[k]);
                hd_str_append_char(out, '}');
            }
            hd_str_append_char(out, ']');
        }
        hd_str_append_char(out, '}');
    }
    hd_str_append(out, "]}\n");
}

/* A field in quotes; those inside are doubled (RFC 4180). */
static void csv_text(struct hd_str *out, const char *text)
{
    hd_str_append_char(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            hd_str_append_char(out, '"');
        hd_str_append_char(out, *text);
    }
    hd_str_append_char(out, '"');
}

/* A line for each run. */
void hd_compared_csv(struct hd_str *out, const struct hd_compared *rows, size_t n)
{
    hd_str_append(out, "strategy,seed,verdict,found,executions,blocked,pruned,bounded,states,"
                       "events,seconds,peak_rss_kb\n");
    for (size_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < rows[i].n; k++) {
            const struct hd_compared_run *r = &rows[i].runs[k];
            const struct hd_counters *c = &r->counters;
            csv_text(out, hd_fs_base(rows[i].strategy));
            hd_str_appendf(out, ",%llu,%s,%s,%llu,%llu,%llu,%llu,%llu,%llu,%.6f,%llu\n",
                           (number)r->seed, hd_verdict_text(r->verdict), r->kind ? r->kind : "",
                           (number)c->executions, (number)c->blocked, (number)c->pruned,
                           (number)c->bounded, (number)c->states, (number)c->events, r->seconds,
                           (number)r->kb);
        }
}

static void latex_text(struct hd_str *out, const char *text)
{
    for (; *text; text++) {
        if (strchr("#$%&_{}", *text))
            hd_str_append_char(out, '\\');
        if (strchr("\\^~", *text))
            hd_str_appendf(out, "\\char`\\%c{}", *text);
        else
            hd_str_append_char(out, *text);
    }
}

/* A tabular: found, executions and seconds, each with its deviation. */
void hd_compared_latex(struct hd_str *out, const struct hd_compared *rows, size_t n)
{
    hd_str_append(out, "\\begin{tabular}{lrrrrrr}\n\\hline\nstrategy & found & executions & "
                       "$\\sigma$ & transitions & seconds & $\\sigma$ \\\\\n\\hline\n");
    for (size_t i = 0; i < n; i++) {
        struct hd_compared_spread e, v, s;
        if (!rows[i].n)
            continue;
        hd_compared_spread(&rows[i], executions, &e);
        hd_compared_spread(&rows[i], events, &v);
        hd_compared_spread(&rows[i], seconds, &s);
        latex_text(out, hd_fs_base(rows[i].strategy));
        hd_str_appendf(out, " & %u/%u & %.1f & %.1f & %.1f & %.3f & %.3f \\\\\n", found(&rows[i]),
                       rows[i].n, e.mean, e.deviation, v.mean, s.mean, s.deviation);
    }
    hd_str_append(out, "\\hline\n\\end{tabular}\n");
}
