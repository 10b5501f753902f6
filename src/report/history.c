#include "report/history.h"

#include "base/json.h"
#include "base/shown.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 4
#define CALLS 8
#define WIDEST 40 /* of a column */

/* A call with its result; `row` is the line of the table, from 0. */
struct call {
    char *text;
    uint32_t before[THREADS]; /* calls of the other threads that had returned */
    uint32_t row;
    bool odd; /* it is one of those that contradict each other */
};

/* parts[0] ran before the threads, parts[THREADS + 1] after them. */
struct history {
    struct part {
        uint32_t n;
        struct call calls[CALLS];
    } parts[THREADS + 2];
    uint32_t n_threads;
    unsigned check; /* what was checked, an index of kept[] */
};

/* What the orders keep that the results were compared with, by `enum heddle_lin_check`. */
static const char *const kept[] = { "what had returned before", "the calls of each thread",
                                    "what quiet moments separate", "nothing" };

/* ---- reading ---- */

static struct part *part_of(struct history *h, const char *name)
{
    if (strcmp(name, "first") == 0)
        return &h->parts[0];
    if (strcmp(name, "last") == 0)
        return &h->parts[THREADS + 1];
    if (name[0] != 'T' || name[1] < '1' || name[1] > '0' + THREADS || name[2])
        return NULL;
    uint32_t t = (uint32_t)(name[1] - '0');
    h->n_threads = t > h->n_threads ? t : h->n_threads;
    return &h->parts[t];
}

/* "@after T1 2" at the end of a line, any number of them. */
static void read_before(struct call *call, char *text)
{
    char *at = strstr(text, " @after ");
    if (at)
        *at++ = 0;
    while (at) {
        unsigned thread, n;
        if (sscanf(at, "@after T%u %u", &thread, &n) == 2 && thread >= 1 && thread <= THREADS &&
            n <= CALLS)
            call->before[thread - 1] = n;
        at = strstr(at + 1, "@after ");
    }
}

static void read_line(struct history *h, char *line)
{
    unsigned number, index;
    char name[16];
    int used = 0;
    if (sscanf(line, "@ because %u %u", &number, &index) == 2) {
        number = number > h->n_threads ? THREADS + 1 : number;
        if (index < h->parts[number].n)
            h->parts[number].calls[index].odd = true;
        return;
    }
    if (sscanf(line, "@ check %u", &number) == 1) {
        h->check = number < sizeof kept / sizeof *kept ? number : 0;
        return;
    }
    if (sscanf(line, "@ %15s %n", name, &used) != 1 || used == 0)
        return;
    struct part *part = part_of(h, name);
    if (part == NULL || part->n == CALLS)
        return;
    struct call *call = &part->calls[part->n++];
    read_before(call, line + used);
    call->text = hd_shown_dup(line + used);
}

static void read_all(struct history *h, const char *output)
{
    *h = (struct history){ .n_threads = 0 };
    while (output && *output) {
        size_t length = strcspn(output, "\n");
        char *line = hd_str_format("%.*s", (int)length, output);
        if (hd_str_starts(line, "@ "))
            read_line(h, line);
        free(line);
        output += length + (output[length] == '\n');
    }
}

/* The calls of a run that has no history: it broke before its results were compared. */
static void take_calls(struct history *h, const struct hd_lin_calls *calls)
{
    for (uint32_t i = 0; i < calls->n_calls; i++)
        if (calls->calls[i].part <= THREADS && calls->calls[i].part > h->n_threads)
            h->n_threads = calls->calls[i].part;
    for (uint32_t i = 0; i < calls->n_calls; i++) {
        const struct hd_lin_call *c = &calls->calls[i];
        struct part *part = &h->parts[c->last ? THREADS + 1 : c->part];
        if (part->n == CALLS)
            continue;
        struct call *call = &part->calls[part->n++];
        call->text = c->has_value    ? hd_str_format("%s = %lld", c->words, (long long)c->value)
                     : c->end == ~0u ? hd_str_format("%s has not returned", c->words)
                                     : hd_strdup(c->words);
        for (uint32_t k = 0; k < calls->n_calls; k++)
            if (calls->calls[k].end < c->begin && !calls->calls[k].last && calls->calls[k].part)
                call->before[calls->calls[k].part - 1]++;
    }
}

/* ---- the table ---- */

/* A call stands below those that had returned when it was called. */
static bool move_down(struct history *h)
{
    bool moved = false;
    for (uint32_t t = 1; t <= h->n_threads; t++)
        for (uint32_t i = 0; i < h->parts[t].n; i++) {
            struct call *call = &h->parts[t].calls[i];
            uint32_t least = i ? h->parts[t].calls[i - 1].row + 1 : 0;
            for (uint32_t u = 1; u <= h->n_threads; u++) {
                uint32_t n = call->before[u - 1];
                if (u != t && n && n <= h->parts[u].n && h->parts[u].calls[n - 1].row + 1 > least)
                    least = h->parts[u].calls[n - 1].row + 1;
            }
            moved |= least > call->row;
            call->row = least > call->row ? least : call->row;
        }
    return moved;
}

/* What the program says of the order may be wrong, and go round in a circle. */
static void set_rows(struct history *h)
{
    for (uint32_t i = 0; i < THREADS * CALLS && move_down(h); i++)
        ;
}

static const struct call *call_at(const struct part *part, uint32_t row)
{
    for (uint32_t i = 0; i < part->n; i++)
        if (part->calls[i].row == row)
            return &part->calls[i];
    return NULL;
}

static uint32_t width_of(const struct part *part)
{
    size_t width = 2;
    for (uint32_t i = 0; i < part->n; i++)
        if (strlen(part->calls[i].text) > width)
            width = strlen(part->calls[i].text);
    return (uint32_t)(width > WIDEST ? WIDEST : width);
}

static void print_alone(struct hd_str *out, const char *when, const struct part *part)
{
    for (uint32_t i = 0; i < part->n; i++)
        hd_str_appendf(out, "  %-6s  %s\n", when, part->calls[i].text);
}

/* Blanks at the end of a line are taken away. */
static void end_line(struct hd_str *out)
{
    while (out->length && out->text[out->length - 1] == ' ')
        out->text[--out->length] = 0;
    hd_str_append_char(out, '\n');
}

static void print_threads(struct hd_str *out, const struct history *h)
{
    uint32_t last = 0;
    hd_str_appendf(out, "  %-6s", "");
    for (uint32_t t = 1; t <= h->n_threads; t++) {
        char name[8];
        snprintf(name, sizeof name, "T%u", t);
        hd_str_appendf(out, "  %-*s", (int)width_of(&h->parts[t]), name);
        for (uint32_t i = 0; i < h->parts[t].n; i++)
            last = h->parts[t].calls[i].row > last ? h->parts[t].calls[i].row : last;
    }
    end_line(out);
    for (uint32_t row = 0; row <= last; row++) {
        hd_str_appendf(out, "  %-6s", "");
        for (uint32_t t = 1; t <= h->n_threads; t++) {
            const struct call *call = call_at(&h->parts[t], row);
            hd_str_appendf(out, "  %-*s", (int)width_of(&h->parts[t]), call ? call->text : "");
        }
        end_line(out);
    }
}

#define WAITS " waits for ever" /* instead of a result */

/* The calls that contradict each other, of one kind: those that wait, or those with a
 * result. */
static uint32_t print_odd_calls(struct hd_str *out, const struct history *h, bool wait)
{
    uint32_t n = 0, said = 0;
    for (uint32_t p = 0; p < THREADS + 2; p++)
        for (uint32_t i = 0; i < h->parts[p].n; i++)
            n += h->parts[p].calls[i].odd &&
                 hd_str_ends(h->parts[p].calls[i].text, WAITS) == wait;
    for (uint32_t p = 0; p < THREADS + 2; p++)
        for (uint32_t i = 0; i < h->parts[p].n; i++) {
            const struct call *call = &h->parts[p].calls[i];
            if (!call->odd || hd_str_ends(call->text, WAITS) != wait)
                continue;
            hd_str_append(out, said == 0       ? (wait ? "lets " : "gives ")
                               : said + 1 == n ? " and "
                                               : ", ");
            hd_str_appendf(out, "%.*s", (int)(strlen(call->text) - (wait ? strlen(WAITS) : 0)),
                           call->text);
            if (p >= 1 && p <= THREADS)
                hd_str_appendf(out, " in T%u", p);
            said++;
        }
    if (wait && n)
        hd_str_append(out, " wait for ever");
    return n;
}

static void print_odd(struct hd_str *out, const struct history *h, const char *keeps)
{
    struct hd_str results, waits;
    hd_str_init(&results);
    hd_str_init(&waits);
    uint32_t n_results = print_odd_calls(&results, h, false);
    uint32_t n_waits = print_odd_calls(&waits, h, true);
    if (n_results + n_waits)
        hd_str_appendf(out,
                       "no order in which one call follows the other and that keeps %s %s%s%s\n",
                       keeps, n_results ? results.text : "", n_results && n_waits ? " and " : "",
                       n_waits ? waits.text : "");
    hd_str_release(&results);
    hd_str_release(&waits);
}

static void release(struct history *h)
{
    for (uint32_t p = 0; p < THREADS + 2; p++)
        for (uint32_t i = 0; i < h->parts[p].n; i++)
            free(h->parts[p].calls[i].text);
}

bool hd_history_print(struct hd_str *out, const char *output)
{
    struct history h;
    read_all(&h, output);
    bool any = h.n_threads > 0;
    if (any) {
        set_rows(&h);
        print_alone(out, "before", &h.parts[0]);
        print_threads(out, &h);
        print_alone(out, "after", &h.parts[THREADS + 1]);
        hd_str_append_char(out, '\n');
        print_odd(out, &h, kept[h.check]);
    }
    release(&h);
    return any;
}

const char *hd_history_title(const char *table)
{
    return strstr(table, WAITS) ? "a call waits for ever, and should not"
                                : "the results of the calls do not fit together";
}

/* ---- as data ---- */

/* The step at which the call of that number in the part begins; -1: not known. */
static int step_of(const struct hd_lin_calls *calls, uint32_t part, uint32_t number)
{
    for (uint32_t i = 0; i < calls->n_calls; i++) {
        const struct hd_lin_call *c = &calls->calls[i];
        if ((c->last ? THREADS + 1 : c->part) == part && number-- == 0)
            return (int)c->begin;
    }
    return -1;
}

/* [ part, row, words, step, is it one of those that contradict each other ] */
static void call_json(struct hd_str *out, const struct history *h, uint32_t part, uint32_t i,
                      const struct hd_lin_calls *calls)
{
    const struct call *call = &h->parts[part].calls[i];
    hd_str_appendf(out, "[%u,%u,", part, call->row);
    hd_json_string(out, call->text);
    hd_str_appendf(out, ",%d,%s]", step_of(calls, part, i), call->odd ? "true" : "false");
}

bool hd_history_json(struct hd_str *out, const char *output, const struct hd_lin_calls *calls)
{
    struct history h;
    struct hd_str words;
    hd_str_init(&words);
    read_all(&h, output);
    bool compared = h.n_threads > 0;
    if (!compared)
        take_calls(&h, calls);
    set_rows(&h);
    bool any = h.n_threads > 0, first = true;
    if (any) {
        if (compared) {
            print_threads(&words, &h);
            hd_str_append(out, "{\"title\":");
            hd_json_string(out, hd_history_title(words.text));
            hd_str_append_char(out, ',');
            hd_str_clear(&words);
        } else {
            hd_str_append_char(out, '{');
        }
        print_odd(&words, &h, kept[h.check]);
        hd_str_cut(&words, strcspn(words.text, "\n"));
        hd_str_append(out, "\"words\":");
        hd_json_string(out, words.text);
        hd_str_appendf(out, ",\"threads\":%u,\"calls\":[", h.n_threads);
        for (uint32_t p = 0; p < THREADS + 2; p++)
            for (uint32_t i = 0; i < h.parts[p].n; i++, first = false) {
                hd_str_append(out, first ? "" : ",");
                call_json(out, &h, p, i, calls);
            }
        hd_str_append(out, "]}");
    }
    release(&h);
    hd_str_release(&words);
    return any;
}
