#include "cli/live.h"

#include "base/number.h"
#include "base/str.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define TERMINAL_SECONDS 0.25
#define LINE_SECONDS 30.0
#define WORTH_TELLING 200 /* executions before an estimate is shown */

void hd_live_init(struct hd_live *live, bool quiet, bool bounded)
{
    *live = (struct hd_live){ .on = !quiet, .terminal = isatty(2), .bounded = bounded };
}

/* What the search gets through: states, or executions of any outcome. */
static uint64_t done_of(const struct hd_progress *p)
{
    const struct hd_counters *c = &p->counters;
    return p->states ? c->states : c->executions + c->blocked + c->pruned + c->bounded;
}

/* Executions of any outcome that the current bound will have had; 0: not known. */
static double estimated(const struct hd_progress *p)
{
    const struct hd_counters *c = &p->counters;
    if (p->states)
        return 0;
    double done = (double)(c->begun - c->begun_before);
    return c->explored > 0 && done >= WORTH_TELLING ? done / c->explored : 0;
}

static void append_count(struct hd_str *out, uint64_t number)
{
    char text[HD_NUMBER_TEXT];
    hd_str_append(out, hd_number_grouped(number, text));
}

/* Round an estimate to two digits. */
static void append_round(struct hd_str *out, double number)
{
    double unit = 1;
    while (number / unit >= 100)
        unit *= 10;
    double rounded = unit * (double)(uint64_t)(number / unit + 0.5);
    if (rounded >= 1e15)
        hd_str_appendf(out, "%.1e", rounded);
    else
        append_count(out, (uint64_t)rounded);
}

static void append_time(struct hd_str *out, double seconds)
{
    if (seconds < 100)
        hd_str_appendf(out, "%.0f s", seconds);
    else if (seconds < 6000)
        hd_str_appendf(out, "%.0f min", seconds / 60);
    else if (seconds < 48 * 3600)
        hd_str_appendf(out, "%.0f h", seconds / 3600);
    else
        hd_str_appendf(out, "%.0f days", seconds / 86400);
}

struct range {
    double total, least, most; /* executions; total 0: not known */
};

static struct range estimate(struct hd_live *live, const struct hd_progress *p)
{
    const struct hd_counters *c = &p->counters;
    double total = estimated(p);
    struct range r = { total, total, total };
    if (total <= 0)
        return r;
    live->estimates[live->n_estimates++ % HD_LIVE_KEPT] = total;
    for (uint32_t i = 0; i < live->n_estimates && i < HD_LIVE_KEPT; i++) {
        r.least = live->estimates[i] < r.least ? live->estimates[i] : r.least;
        r.most = live->estimates[i] > r.most ? live->estimates[i] : r.most;
    }
    double factor = c->explored < 0.05 ? 5 : c->explored < 0.3 ? 2 : 1.3; /* docs/progress.md */
    r.most = total * factor > r.most ? total * factor : r.most;
    return r;
}

static void append_left(struct hd_str *line, const struct range *r, const struct hd_counters *c,
                        double rate)
{
    double done = (double)(c->begun - c->begun_before);
    if (r->total <= 0 || rate <= 0)
        return;
    hd_str_append(line, ", ");
    append_time(line, (r->least > done ? r->least - done : 0) / rate);
    hd_str_append(line, " to ");
    append_time(line, (r->most > done ? r->most - done : 0) / rate);
    hd_str_append(line, " left");
}

static void append_total(struct hd_str *line, const struct range *r)
{
    if (r->total <= 0)
        return;
    hd_str_append(line, ", about ");
    append_round(line, r->total);
    hd_str_append(line, " in all (");
    append_round(line, r->least);
    hd_str_append(line, " to ");
    append_round(line, r->most);
    hd_str_append(line, ")");
}

/* A line that is written over must not be longer than the terminal is wide: the least important
 * parts are left out, one after the other. */
enum { ALL, WITHOUT_TOTAL, WITHOUT_LEFT, WITHOUT_RATE, N_SHORTER };

static void describe(struct hd_str *line, const struct hd_live *live, const struct hd_progress *p,
                     const struct range *r, double rate, uint32_t shorter)
{
    const struct hd_counters *c = &p->counters;
    hd_str_clear(line);
    if (p->phase)
        hd_str_appendf(line, "%s: ", p->phase);
    append_count(line, done_of(p));
    hd_str_append(line, p->states ? " states" : " executions");
    if (shorter < WITHOUT_RATE) {
        hd_str_append(line, " (");
        append_count(line, (uint64_t)(rate + 0.5));
        hd_str_append(line, "/s)");
    }
    if (p->states) {
        hd_str_append(line, ", ");
        append_count(line, c->executions);
        hd_str_append(line, c->executions == 1 ? " execution" : " executions");
    }
    if (shorter < WITHOUT_TOTAL)
        append_total(line, r);
    if (shorter < WITHOUT_LEFT)
        append_left(line, r, c, rate);
    if (live->bounded)
        hd_str_appendf(line, ", bound %u", c->bound_now);
    hd_str_appendf(line, ", %u violation%s, ", p->n_findings, p->n_findings == 1 ? "" : "s");
    append_time(line, p->seconds);
}

static size_t columns(const struct hd_live *live)
{
    struct winsize size;
    if (!live->terminal)
        return 200;
    return ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
}

void hd_live_show(void *context, const struct hd_progress *p)
{
    struct hd_live *live = context;
    double passed = p->seconds - live->last_seconds;
    uint64_t done = done_of(p);
    if (live->phase != p->phase) { /* another search: nothing of the last one holds for it */
        live->phase = p->phase;
        live->last_done = live->n_estimates = 0;
    }
    if (!live->on || passed < (live->terminal ? TERMINAL_SECONDS : LINE_SECONDS))
        return;
    double rate = done > live->last_done ? (double)(done - live->last_done) / passed : 0;
    struct range range = estimate(live, p);
    size_t most = columns(live);
    struct hd_str line;
    hd_str_init(&line);
    for (uint32_t i = ALL; i < N_SHORTER && (i == ALL || line.length > most); i++)
        describe(&line, live, p, &range, rate, i);
    fprintf(stderr, live->terminal ? "\r\033[K%.*s" : "heddle: %.*s\n", (int)most, line.text);
    hd_str_release(&line);
    live->shown = live->terminal;
    live->last_seconds = p->seconds;
    live->last_done = done;
}

void hd_live_say(struct hd_live *live, const char *what, uint32_t i, uint32_t n)
{
    if (!live->on || !live->terminal)
        return;
    fprintf(stderr, n > 1 ? "\r\033[K%s (%u of %u)" : "\r\033[K%s", what, i, n);
    live->shown = true;
}

void hd_live_clear(struct hd_live *live)
{
    if (live->shown)
        fprintf(stderr, "\r\033[K");
    live->shown = false;
}
