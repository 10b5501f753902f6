#include "cli/compare_table.h"

#include "core/finding.h"

#include <stdio.h>
#include <string.h>

typedef unsigned long long number;

#define COUNTER(name)                                                                            \
    static double name(const struct hd_compared_run *r) { return (double)r->counters.name; }
COUNTER(executions)
COUNTER(pruned)
COUNTER(blocked)
COUNTER(bounded)
COUNTER(states)
COUNTER(events)
#undef COUNTER
static double seconds(const struct hd_compared_run *r) { return r->seconds; }
static double memory(const struct hd_compared_run *r) { return (double)r->kb; }

const struct hd_measure hd_measures[HD_N_MEASURES] = {
    { "executions", "complete executions", executions },
    { "pruned", "pruned executions", pruned },
    { "blocked", "executions blocked by sleep sets", blocked },
    { "bounded", "executions that a bound cut", bounded },
    { "states", "states", states },
    { "events", "visible actions performed", events },
    { "seconds", "seconds", seconds },
    { "peak_rss_kb", "peak of memory, kB", memory },
};

uint32_t hd_measure_find(const char *word)
{
    uint32_t i = 0;
    while (i < HD_N_MEASURES && strcmp(hd_measures[i].word, word) != 0)
        i++;
    return i;
}

/* By Newton's method: no program of ours needs the library of mathematics. */
static double root(double x)
{
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 200 && x > 0; i++)
        r = (r + x / r) / 2;
    return x > 0 ? r : 0;
}

void hd_compared_spread(const struct hd_compared *c, const struct hd_measure *measure,
                        struct hd_compared_spread *s)
{
    double squares = 0;
    *s = (struct hd_compared_spread){ 0 };
    for (uint32_t i = 0; i < c->n; i++) {
        double v = measure->value(&c->runs[i]);
        s->mean += v / c->n;
        s->least = i == 0 || v < s->least ? v : s->least;
        s->most = i == 0 || v > s->most ? v : s->most;
    }
    for (uint32_t i = 0; i < c->n; i++) {
        double off = measure->value(&c->runs[i]) - s->mean;
        squares += off * off;
    }
    s->deviation = c->n > 1 ? root(squares / (c->n - 1)) : 0;
}

uint32_t hd_compared_found(const struct hd_compared *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        n += c->runs[i].kind != NULL;
    return n;
}

bool hd_compared_finished(const struct hd_compared *c)
{
    bool finished = c->n > 0;
    for (uint32_t i = 0; i < c->n; i++)
        finished = finished && c->runs[i].counters.finished;
    return finished;
}

void hd_compared_print_head(int width, bool several)
{
    if (several)
        printf("%-*s %9s %12s %10s %10s %10s %12s %9s %9s\n", width, "strategy", "found",
               "complete", "deviation", "least", "most", "events", "seconds", "deviation");
    else
        printf("%-*s %-18s %-10s %10s %8s %8s %8s %10s %8s %5s\n", width, "strategy", "verdict",
               "found", "complete", "pruned", "blocked", "states", "events", "seconds", "MB");
}

void hd_compared_print(const struct hd_compared *c, int width, bool several)
{
    if (*c->why) {
        printf("%-*s %s\n", width, c->strategy, c->why);
        return;
    }
    const struct hd_compared_run *r = c->runs;
    const struct hd_counters *n = &r->counters;
    struct hd_compared_spread e, v, s;
    hd_compared_spread(c, &hd_measures[hd_measure_find("executions")], &e);
    hd_compared_spread(c, &hd_measures[hd_measure_find("events")], &v);
    hd_compared_spread(c, &hd_measures[hd_measure_find("seconds")], &s);
    if (several)
        printf("%-*s %4u/%-4u %12.1f %10.1f %10.0f %10.0f %12.1f %9.3f %9.3f\n", width,
               c->strategy, hd_compared_found(c), c->n, e.mean, e.deviation, e.least, e.most,
               v.mean, s.mean, s.deviation);
    else
        printf("%-*s %-18s %-10s %10llu %8llu %8llu %8llu %10llu %8.3f %5llu\n", width,
               c->strategy, hd_verdict_text(r->verdict), r->kind ? r->kind : "-",
               (number)n->executions, (number)n->pruned, (number)n->blocked, (number)n->states,
               (number)n->events, r->seconds, (number)(r->kb / 1024));
    fflush(stdout);
}

/* A number of a column, with ! behind it for a violation and + where there was more to do. */
static void print_cell(const struct hd_compared *c, const struct hd_measure *measure)
{
    struct hd_compared_spread s;
    char text[40];
    hd_compared_spread(c, measure, &s);
    bool found = hd_compared_found(c);
    int decimals = measure->value == seconds ? 3 : c->n > 1 ? 1 : 0;
    snprintf(text, sizeof text, "%.*f%s", decimals, s.mean,
             found                     ? "!"
             : hd_compared_finished(c) ? ""
                                       : "+");
    printf(" %14s", c->n ? text : "-");
}

void hd_compared_print_summary(const struct hd_comparison *all)
{
    const struct hd_measure *measure = &hd_measures[all->measure];
    printf("\n%s (!: up to a violation, +: not all was explored)\n%-20s", measure->title, "");
    for (size_t k = 0; all->n && k < all->programs[0].n; k++)
        printf(" %14s", all->programs[0].rows[k].strategy);
    printf("\n");
    for (size_t i = 0; i < all->n; i++) {
        printf("%-20s", all->programs[i].name);
        for (size_t k = 0; k < all->programs[i].n; k++)
            print_cell(&all->programs[i].rows[k], measure);
        printf("\n");
    }
}
