#include "report/grid.h"

#include "base/str.h"

#include <string.h>

#define NARROWEST 22 /* of a column; narrower, and all threads share one */
#define WIDEST 60
#define COMFORTABLE 30 /* of a column; narrower, and threads share some */
#define GAP 2          /* between columns */

void hd_grid_init(struct hd_grid *g, const struct hd_terminal *text, const struct hd_span *spans)
{
    *g = (struct hd_grid){ .text = text };
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        g->column[t] = spans[t].end ? g->n++ : HD_GRID_NONE;
}

bool hd_grid_is_narrow(const struct hd_grid *g)
{
    return g->n > 2 && (g->text->width - HD_GRID_GUTTER) / g->n < COMFORTABLE;
}

void hd_grid_share(struct hd_grid *g, const struct hd_span *spans)
{
    uint32_t ends[HD_MAX_THREADS] = { 0 }; /* by column */
    bool done[HD_MAX_THREADS] = { false };
    g->n = 0;
    for (;;) {
        uint32_t first = HD_GRID_NONE, c = 0;
        for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
            if (spans[t].end && !done[t] &&
                (first == HD_GRID_NONE || spans[t].begin < spans[first].begin))
                first = t;
        if (first == HD_GRID_NONE)
            return;
        while (c < g->n && ends[c] > spans[first].begin)
            c++;
        g->n += c == g->n;
        g->column[first] = c;
        ends[c] = spans[first].end;
        done[first] = true;
    }
}

void hd_grid_need(struct hd_grid *g, uint32_t thread, const char *words)
{
    unsigned n = hd_terminal_length(words) + GAP;
    if (n > g->need[thread])
        g->need[thread] = n;
}

/* What the columns that need less leave over goes to the others. */
static void distribute(struct hd_grid *g, unsigned room)
{
    unsigned need[HD_MAX_THREADS], equal = room / g->n, most = equal < WIDEST ? equal : WIDEST;
    bool fits = true;
    for (uint32_t c = 0; c < g->n; c++)
        need[c] = NARROWEST;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        if (g->column[t] != HD_GRID_NONE) {
            uint32_t c = g->column[t];
            need[c] = g->need[t] > need[c] ? g->need[t] : need[c];
            fits = fits && need[c] <= most;
        }
    unsigned left = room, open = g->n;
    for (uint32_t c = 0; c < g->n; c++)
        g->width[c] = fits ? most : 0;
    for (bool more = !fits; more;) {
        more = false;
        for (uint32_t c = 0; c < g->n; c++)
            if (!g->width[c] && need[c] <= left / open) {
                g->width[c] = need[c];
                left -= need[c];
                open--;
                more = open > 0;
            }
    }
    for (uint32_t c = 0; c < g->n; c++)
        g->width[c] = g->width[c] ? g->width[c] : left / open;
}

void hd_grid_lay_out(struct hd_grid *g)
{
    unsigned room = g->text->width - HD_GRID_GUTTER;
    g->shared = g->n == 0 || room / g->n < NARROWEST;
    if (g->shared) {
        g->width[0] = room;
        return;
    }
    distribute(g, room);
    for (uint32_t c = 1; c < g->n; c++)
        g->begin[c] = g->begin[c - 1] + g->width[c - 1];
    g->width[g->n - 1] = room - g->begin[g->n - 1]; /* nothing stands behind it */
}

/* Bars of the calls that are under way, and blanks, from one character of the row to another;
 * up to the last bar if `to` is ~0u. */
static void bars(const struct hd_grid *g, struct hd_str *out, unsigned from, unsigned to)
{
    unsigned at = from;
    for (uint32_t t = 0; t < HD_MAX_THREADS && !g->shared; t++) {
        if (!g->in_call[t] || g->column[t] == HD_GRID_NONE)
            continue;
        unsigned bar = g->begin[g->column[t]];
        if (bar < at || bar >= to)
            continue;
        hd_str_appendf(out, "%*s|", (int)(bar - at), "");
        at = bar + 1;
    }
    if (to != ~0u)
        hd_str_appendf(out, "%*s", (int)(to - at), "");
}

/* One line of it, at that character of the row. */
static void line(const struct hd_grid *g, const char *gutter, unsigned at, const char *paint,
                 const char *words)
{
    struct hd_str left, right;
    hd_str_init(&left);
    hd_str_init(&right);
    bars(g, &left, 0, at);
    bars(g, &right, at + hd_terminal_length(words), ~0u);
    fprintf(g->text->out, "%-*s%s%s%s%s%s\n", HD_GRID_GUTTER, gutter, left.text, paint, words,
            *paint ? hd_terminal_plain(g->text) : "", right.text);
    hd_str_release(&left);
    hd_str_release(&right);
}

void hd_grid_row(const struct hd_grid *g, const struct hd_grid_row *row, const char *words)
{
    uint32_t column = g->shared ? 0 : g->column[row->thread];
    bool last = g->shared || column + 1 == g->n;
    unsigned bar = g->bars && !row->at_bar ? HD_GRID_BAR : 0, indent = row->indent;
    unsigned width = g->width[column] - bar - (last ? 0 : 1);
    const char *gutter = row->gutter;
    for (unsigned n = 1; *words; n++) {
        unsigned room = width > indent + 8 ? width - indent : 8;
        size_t end = hd_terminal_break(words, room);
        struct hd_str part;
        hd_str_init(&part);
        bool cut = n == row->most && words[end];
        if (cut)
            end = hd_terminal_bytes(words, room - 2);
        hd_str_append_bytes(&part, words, end);
        while (part.length && part.text[part.length - 1] == ' ')
            hd_str_cut(&part, part.length - 1);
        hd_str_append(&part, cut ? ".." : "");
        line(g, gutter, (g->shared ? 0 : g->begin[column]) + bar + indent, row->paint, part.text);
        hd_str_release(&part);
        if (cut)
            return;
        words += end;
        words += strspn(words, " ");
        indent = row->hang;
        gutter = "";
    }
}

void hd_grid_blank(const struct hd_grid *g)
{
    struct hd_str row;
    hd_str_init(&row);
    bars(g, &row, 0, ~0u);
    fprintf(g->text->out, "%*s%s\n", row.length ? HD_GRID_GUTTER : 0, "", row.text);
    hd_str_release(&row);
}
