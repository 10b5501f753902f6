/* The documents of `heddle compare`: JSON, CSV and LaTeX. */
#include "base/json.h"
#include "base/version.h"
#include "cli/compare_table.h"

#include <string.h>

typedef unsigned long long number;

static void json_numbers(struct hd_str *out, const struct hd_compared_run *r)
{
    const struct hd_counters *c = &r->counters;
    hd_str_appendf(out, "\"verdict\":\"%s\"", hd_verdict_text(r->verdict));
    if (r->kind)
        hd_str_appendf(out, ",\"kind\":\"%s\"", r->kind);
    hd_str_appendf(out,
                   ",\"finished\":%s,\"executions\":%llu,\"blocked\":%llu,\"pruned\":%llu,"
                   "\"bounded\":%llu,\"states\":%llu,\"events\":%llu,\"seconds\":%.6f,"
                   "\"peak_rss_kb\":%llu",
                   c->finished ? "true" : "false", (number)c->executions, (number)c->blocked,
                   (number)c->pruned, (number)c->bounded, (number)c->states, (number)c->events,
                   r->seconds, (number)r->kb);
}

/* The spread of every measure, and every run. */
static void json_several(struct hd_str *out, const struct hd_compared *c)
{
    hd_str_appendf(out, ",\"of_all\":{\"runs\":%u,\"found\":%u", c->n, hd_compared_found(c));
    for (uint32_t i = 0; i < HD_N_MEASURES; i++) {
        struct hd_compared_spread s;
        hd_compared_spread(c, &hd_measures[i], &s);
        hd_str_appendf(out,
                       ",\"%s\":{\"mean\":%.6f,\"deviation\":%.6f,\"min\":%.6f,\"max\":%.6f}",
                       hd_measures[i].word, s.mean, s.deviation, s.least, s.most);
    }
    hd_str_append(out, "},\"runs\":[");
    for (uint32_t k = 0; k < c->n; k++) {
        hd_str_appendf(out, "%s{\"seed\":%llu,", k ? "," : "", (number)c->runs[k].seed);
        json_numbers(out, &c->runs[k]);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
}

/* The numbers of the first run, and of several their spread. */
static void json_program(struct hd_str *out, const struct hd_compared_program *p)
{
    hd_str_append(out, "\"strategies\":[");
    for (size_t i = 0; i < p->n; i++) {
        const struct hd_compared *c = &p->rows[i];
        hd_str_appendf(out, "%s{\"strategy\":", i ? "," : "");
        hd_json_string(out, c->strategy);
        hd_str_append_char(out, ',');
        if (c->n == 0) {
            hd_str_append(out, "\"error\":");
            hd_json_string(out, c->why);
        } else {
            json_numbers(out, c->runs);
        }
        if (c->n > 1)
            json_several(out, c);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
}

void hd_compared_json(struct hd_str *out, const struct hd_comparison *all)
{
    hd_str_appendf(out, "{\"heddle\":\"%s\",%s", HD_VERSION, all->folder ? "\"programs\":[" : "");
    for (size_t i = 0; i < all->n; i++) {
        if (all->folder) {
            hd_str_appendf(out, "%s{\"program\":", i ? "," : "");
            hd_json_string(out, all->programs[i].name);
            hd_str_append_char(out, ',');
        }
        json_program(out, &all->programs[i]);
        if (all->folder)
            hd_str_append_char(out, '}');
    }
    hd_str_append(out, all->folder ? "]}\n" : "}\n");
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

static void csv_run(struct hd_str *out, const struct hd_compared_run *r)
{
    const struct hd_counters *c = &r->counters;
    hd_str_appendf(out, ",%llu,%s,%s,%llu,%llu,%llu,%llu,%llu,%llu,%.6f,%llu\n", (number)r->seed,
                   hd_verdict_text(r->verdict), r->kind ? r->kind : "", (number)c->executions,
                   (number)c->blocked, (number)c->pruned, (number)c->bounded, (number)c->states,
                   (number)c->events, r->seconds, (number)r->kb);
}

/* A line for each run. */
void hd_compared_csv(struct hd_str *out, const struct hd_comparison *all)
{
    hd_str_appendf(out,
                   "%sstrategy,seed,verdict,found,executions,blocked,pruned,bounded,states,"
                   "events,seconds,peak_rss_kb\n",
                   all->folder ? "program," : "");
    for (size_t p = 0; p < all->n; p++)
        for (size_t i = 0; i < all->programs[p].n; i++) {
            const struct hd_compared *c = &all->programs[p].rows[i];
            for (uint32_t k = 0; k < c->n; k++) {
                if (all->folder) {
                    csv_text(out, all->programs[p].name);
                    hd_str_append_char(out, ',');
                }
                csv_text(out, c->strategy);
                csv_run(out, &c->runs[k]);
            }
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

static double mean(const struct hd_compared *c, const char *word,
                   struct hd_compared_spread *spread)
{
    hd_compared_spread(c, &hd_measures[hd_measure_find(word)], spread);
    return spread->mean;
}

/* A line for each column: what it found, and its numbers, executions and seconds with their
 * deviation. */
static void latex_columns(struct hd_str *out, const struct hd_compared_program *p)
{
    hd_str_append(out, "\\begin{tabular}{lrrrrrrrrr}\n\\hline\nstrategy & found & complete & "
                       "$\\sigma$ & pruned & blocked & states & events & seconds & $\\sigma$ "
                       "\\\\\n\\hline\n");
    for (size_t i = 0; i < p->n; i++) {
        const struct hd_compared *c = &p->rows[i];
        struct hd_compared_spread e, s, other;
        if (!c->n)
            continue;
        mean(c, "executions", &e);
        mean(c, "seconds", &s);
        latex_text(out, c->strategy);
        hd_str_appendf(out,
                       " & %u/%u & %.1f & %.1f & %.1f & %.1f & %.1f & %.1f & %.3f & %.3f "
                       "\\\\\n",
                       hd_compared_found(c), c->n, e.mean, e.deviation, mean(c, "pruned", &other),
                       mean(c, "blocked", &other), mean(c, "states", &other),
                       mean(c, "events", &other), s.mean, s.deviation);
    }
    hd_str_append(out, "\\hline\n\\end{tabular}\n");
}

/* A line for each program: the measure and the seconds of each column. */
static void latex_programs(struct hd_str *out, const struct hd_comparison *all)
{
    size_t columns = all->n ? all->programs[0].n : 0;
    struct hd_compared_spread s;
    hd_str_append(out, "\\begin{tabular}{l");
    for (size_t i = 0; i < columns; i++)
        hd_str_append(out, "rr");
    hd_str_append(out, "}\n\\hline\nprogram");
    for (size_t i = 0; i < columns; i++) {
        hd_str_append(out, " & \\multicolumn{2}{c}{");
        latex_text(out, all->programs[0].rows[i].strategy);
        hd_str_append(out, "}");
    }
    hd_str_append(out, " \\\\\n\\hline\n");
    for (size_t p = 0; p < all->n; p++) {
        latex_text(out, all->programs[p].name);
        for (size_t i = 0; i < columns; i++) {
            const struct hd_compared *c = &all->programs[p].rows[i];
            if (c->n)
                hd_str_appendf(out, " & %.*f%s & %.3f s", c->n > 1,
                               mean(c, hd_measures[all->measure].word, &s),
                               hd_compared_found(c)      ? "!"
                               : hd_compared_finished(c) ? ""
                                                         : "+",
                               mean(c, "seconds", &s));
            else
                hd_str_append(out, " & -- & --");
        }
        hd_str_append(out, " \\\\\n");
    }
    hd_str_append(out, "\\hline\n\\end{tabular}\n");
}

void hd_compared_latex(struct hd_str *out, const struct hd_comparison *all)
{
    if (all->folder)
        latex_programs(out, all);
    else
        latex_columns(out, &all->programs[0]);
}
