/* The interleaving, time going down, a column per thread.  A thread's steps at one line of
 * source stand under that line; at the end is what broke the program, or which threads wait for
 * ever.  Long stretches of one thread are folded in the middle, and so is a run that is too
 * long as a whole; the trace has it all.  Steps that the report mentions elsewhere, and those
 * that made the value which broke the program, are never folded.  Calls of heddle/lin.h are
 * brackets: a bar in the column of a thread from where a call begins to where it returns. */
#include "base/fs.h"
#include "base/str.h"
#include "report/cause.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/text.h"
#include "supervise/explain_order.h"

#include <stdlib.h>
#include <string.h>

#define GUTTER 8 /* step number, mark of a preemption */
#define NO_COLUMN (~0u)
#define NARROWEST 22   /* of a column; narrower, and all threads share one */
#define STRETCH 12     /* longer stretches of one thread are folded */
#define STRETCH_ENDS 4 /* steps of a folded stretch that are shown at either end */
#define PRIVATE 3      /* that many steps in a row that concern no other thread are folded */
#define SHORT 16       /* PRIVATE applies to runs of more steps than this */
#define COMPARED 1000  /* and of at most so many */
#define WHOLE_HEAD 50  /* a run that is still too long: steps shown at its beginning */
#define WHOLE_TAIL 80  /* a run that is still too long: steps shown at its end */
#define MOST_SPOKEN_OF 20
#define MARGIN 44 /* characters that explanations have in a row, if there is room */
#define BAR 2     /* characters for the bar of a call */

struct grid {
    const struct hd_terminal *text;
    const struct hd_run *run;
    struct hd_program *program;
    struct hd_source source;
    struct hd_causes causes;
    bool *hidden;                    /* by step */
    uint32_t column[HD_MAX_THREADS]; /* by thread */
    uint32_t n_columns;
    unsigned width;   /* of a column */
    bool shared;      /* one column for all */
    const char *only; /* the one file that all steps are of; NULL: there are several, or none */
    uint32_t last_thread, last_line;
    const char *last_file;
    struct hd_lin_calls calls;
    bool in_call[HD_MAX_THREADS]; /* by thread, at the current row */
};

static void hide(struct grid *g, uint32_t from, uint32_t to)
{
    if (to > from + 1) /* a single step takes no more room than the words about it */
        memset(g->hidden + from, true, (to - from) * sizeof *g->hidden);
}

static bool same_object(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

/* Does the report mention the step elsewhere: is it one of the deciding ones, or what a thread
 * waits for? */
static bool spoken_of(const struct hd_run *run, uint32_t i)
{
    for (uint32_t k = 0; k < run->n_orderings; k++)
        if (run->orderings[k].early_at == i || run->orderings[k].late_at == i)
            return true;
    if (hd_run_stale(run, &run->log[i]))
        return true;
    for (uint32_t k = 0; k < run->n_stale; k++)
        if (run->stale[k].source == i + 1 || run->stale[k].newer == i + 1)
            return true;
    if (run->log[i].op == HD_OP_ALLOC && run->log[i].choice)
        return true; /* the reused address explains what follows */
    for (uint32_t k = 0; k < run->finding.n_standings; k++) {
        const struct hd_standing *s = &run->finding.standings[k];
        if (s->object.where != HD_WHERE_NONE && s->object.where != HD_WHERE_THREAD &&
            same_object(&s->object, &run->log[i].object))
            return true;
    }
    return false;
}

/* Could its order have mattered: does it conflict with a step of another thread? */
static bool matters(const struct hd_run *run, uint32_t i)
{
    const struct hd_step *step = &run->log[i];
    if (step->flags & HD_STEP_PREEMPTION || i + 1 == run->n_log ||
        run->log[i + 1].flags & HD_STEP_PREEMPTION)
        return true;
    for (uint32_t k = 0; k < run->n_log; k++)
        if (run->log[k].thread != step->thread && hd_explain_order_conflict(step, &run->log[k]))
            return true;
    return false;
}

/* Stretches of one thread that touch nothing another thread touches. */
static void fold_private(struct grid *g)
{
    const struct hd_run *run = g->run;
    if (run->n_log <= SHORT || run->n_log > COMPARED)
        return;
    for (uint32_t i = 0; i < run->n_log;) {
        uint32_t end = i;
        while (end < run->n_log && run->log[end].thread == run->log[i].thread &&
               !matters(run, end))
            end++;
        if (end - i >= PRIVATE)
            hide(g, i, end);
        i = end > i ? end : i + 1;
    }
}

/* One step alone takes as much room as the words about it.  Those of the code around calls take
 * none. */
static void show_single(struct grid *g)
{
    for (uint32_t i = 0; i < g->run->n_log;) {
        uint32_t end = i, n = 0, last = 0;
        for (; end < g->run->n_log && g->hidden[end]; end++)
            if (hd_lin_calls_role(&g->calls, end) != HD_LIN_HIDDEN) {
                last = end;
                n++;
            }
        if (n == 1)
            g->hidden[last] = false;
        i = end + 1;
    }
}

/* What is around calls is never shown, where they begin and return always. */
static void fold_around(struct grid *g)
{
    for (uint32_t i = 0; g->calls.any && i < g->run->n_log; i++) {
        enum hd_lin_role role = hd_lin_calls_role(&g->calls, i);
        g->hidden[i] = role == HD_LIN_HIDDEN || (role == HD_LIN_STEP && g->hidden[i]);
    }
}

static void fold(struct grid *g)
{
    const struct hd_run *run = g->run;
    uint32_t first = 0, shown = 0;
    while (first < run->n_log && run->log[first].flags & HD_STEP_SOLO)
        first++;
    hide(g, 0, first < run->n_log ? first : first > STRETCH ? first - STRETCH : 0);
    for (uint32_t i = first; i < run->n_log;) {
        uint32_t end = i;
        while (end < run->n_log && run->log[end].thread == run->log[i].thread)
            end++;
        if (end - i > STRETCH)
            hide(g, i + STRETCH_ENDS, end - STRETCH_ENDS);
        i = end;
    }
    fold_private(g);
    for (uint32_t i = 0; i < run->n_log; i++)
        shown += !g->hidden[i];
    for (uint32_t i = 0, n = 0; shown > WHOLE_HEAD + WHOLE_TAIL && i < run->n_log; i++) {
        if (g->hidden[i])
            continue;
        if (n >= WHOLE_HEAD && n < shown - WHOLE_TAIL)
            g->hidden[i] = true;
        n++;
    }
    for (uint32_t i = 0, n = 0; run->found && i < run->n_log && n < MOST_SPOKEN_OF; i++)
        if (g->hidden[i] && spoken_of(run, i)) {
            g->hidden[i] = false;
            n++;
        }
    for (uint32_t i = 0; i < run->n_log; i++)
        g->hidden[i] = g->hidden[i] && !hd_causes_have(&g->causes, i);
    fold_around(g);
    show_single(g);
}

/* Does the thread of a deadlock wait: has it a row at the end? */
static bool waits(const struct hd_run *run, const struct hd_standing *s)
{
    return run->finding.kind == HD_KIND_DEADLOCK && s->op != HD_OP_NONE && !s->enabled;
}

/* Is there one place at which the program broke? */
static bool breaks_somewhere(const struct hd_run *run)
{
    enum hd_kind kind = (enum hd_kind)run->finding.kind;
    return run->found && kind != HD_KIND_DEADLOCK && kind != HD_KIND_DATA_RACE &&
           kind != HD_KIND_LIVELOCK;
}

/* The file of all steps that are shown, if there is one. */
static const char *only_file(const struct grid *g)
{
    const char *only = NULL;
    for (uint32_t i = 0; i < g->run->n_log; i++) {
        const char *file = hd_step_at(&g->run->log[i], g->run, g->program, NULL).file;
        if (g->hidden[i] || !*file || hd_lin_calls_role(&g->calls, i) != HD_LIN_STEP)
            continue;
        if (only && strcmp(only, file) != 0)
            return NULL;
        only = file;
    }
    return only;
}

static void lay_out(struct grid *g)
{
    bool seen[HD_MAX_THREADS] = { false };
    const struct hd_finding *f = &g->run->finding;
    for (uint32_t i = 0; i < g->run->n_log; i++)
        if (!g->hidden[i])
            seen[g->run->log[i].thread] = true;
    for (uint32_t i = 0; g->run->found && i < f->n_standings; i++)
        if (waits(g->run, &f->standings[i]) && f->standings[i].op != HD_OP_JOIN)
            seen[f->standings[i].thread] = true;
    if (breaks_somewhere(g->run))
        seen[f->thread] = true;
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        g->column[t] = seen[t] ? g->n_columns++ : NO_COLUMN;
    unsigned room = g->text->width > GUTTER ? g->text->width - GUTTER : 0;
    g->width = g->n_columns ? room / g->n_columns : room;
    g->shared = g->width < NARROWEST;
    if (g->shared)
        g->width = room;
    else if (g->width > 60)
        g->width = 60;
}

/* Cuts a text to `width` characters of UTF-8 and says so. */
static void fit(struct hd_str *out, const char *text, unsigned width)
{
    unsigned characters = 0;
    size_t cut = 0, at = 0;
    for (; text[at]; at++) {
        if (((unsigned char)text[at] & 0xc0) == 0x80)
            continue;
        if (characters == width - 2)
            cut = at;
        if (++characters > width) {
            hd_str_append_bytes(out, text, cut);
            hd_str_append(out, "..");
            return;
        }
    }
    hd_str_append(out, text);
}

/* Bars of the calls that are under way, and blanks, from one character of the row to another;
 * up to the last bar if `to` is ~0u. */
static void bars(const struct grid *g, struct hd_str *out, unsigned from, unsigned to)
{
    unsigned at = from;
    for (uint32_t t = 0; t < HD_MAX_THREADS && !g->shared; t++) {
        unsigned bar = g->column[t] * g->width;
        if (!g->in_call[t] || g->column[t] == NO_COLUMN || bar < at || bar >= to)
            continue;
        hd_str_appendf(out, "%*s|", (int)(bar - at), "");
        at = bar + 1;
    }
    if (to != ~0u)
        hd_str_appendf(out, "%*s", (int)(to - at), "");
}

/* One row: the gutter, then the text in the thread's column. */
static void row_at(const struct grid *g, const char *gutter, unsigned indent, const char *paint,
                   const char *words)
{
    struct hd_str cell, left, right;
    unsigned width = 0;
    hd_str_init(&cell);
    hd_str_init(&left);
    hd_str_init(&right);
    /* Nothing else stands in this row: the text may reach over the columns to the right. */
    fit(&cell, words, g->text->width - GUTTER - indent);
    for (const char *c = cell.text; *c; c++)
        width += ((unsigned char)*c & 0xc0) != 0x80;
    bars(g, &left, 0, indent);
    bars(g, &right, indent + width, ~0u);
    fprintf(g->text->out, "%-*s%s%s%s%s%s\n", GUTTER, gutter, left.length ? left.text : "", paint,
            cell.text, *paint ? hd_terminal_plain(g->text) : "", right.length ? right.text : "");
    hd_str_release(&cell);
    hd_str_release(&left);
    hd_str_release(&right);
}

static void blank_row(const struct grid *g)
{
    struct hd_str line;
    hd_str_init(&line);
    bars(g, &line, 0, ~0u);
    fprintf(g->text->out, "%*s%s\n", line.length ? GUTTER : 0, "", line.length ? line.text : "");
    hd_str_release(&line);
}

static unsigned column_of(const struct grid *g, uint32_t thread)
{
    return g->shared ? 0 : g->column[thread] * g->width;
}

static unsigned indent_of(const struct grid *g, uint32_t thread)
{
    return column_of(g, thread) + (g->calls.any ? BAR : 0);
}

static void row(const struct grid *g, const char *gutter, uint32_t thread, const char *paint,
                const char *words)
{
    row_at(g, gutter, indent_of(g, thread), paint, words);
}

/* The indentation, or less where so many characters would be cut off. */
static unsigned room_for(const struct grid *g, unsigned indent, unsigned length)
{
    unsigned room = g->text->width - GUTTER;
    if (indent + length <= room)
        return indent;
    return length < room ? room - length : 0;
}

/* A row for what broke the program is not cut because its column is narrow. */
static void bad_row(const struct grid *g, uint32_t thread, const char *words)
{
    unsigned indent = room_for(g, indent_of(g, thread), (unsigned)strlen(words));
    row_at(g, "    !", indent, hd_terminal_bad(g->text), words);
}

static void head(const struct grid *g)
{
    if (g->only)
        fprintf(g->text->out, "%-*s%sall in %s%s\n", GUTTER, "", hd_terminal_dim(g->text),
                hd_fs_base(g->only), hd_terminal_plain(g->text));
    if (g->shared)
        return;
    struct hd_str line;
    hd_str_init(&line);
    hd_str_appendf(&line, "%-*s", GUTTER, " step");
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++) {
        if (g->column[t] == NO_COLUMN)
            continue;
        size_t end = GUTTER + (size_t)(g->column[t] + 1) * g->width;
        hd_name_thread(&line, &g->run->threads, t);
        while (line.length < end && g->column[t] + 1 < g->n_columns)
            hd_str_append_char(&line, ' ');
    }
    fprintf(g->text->out, "%s%s%s\n", hd_terminal_bold(g->text), line.text,
            hd_terminal_plain(g->text));
    hd_str_release(&line);
}

/* Does the path end in these folders and this name? */
static bool ends_in(const char *path, const char *tail)
{
    size_t n = strlen(path), end = strlen(tail);
    return n >= end && strcmp(path + n - end, tail) == 0 &&
           (n == end || path[n - end - 1] == '/');
}

/* The end of the file's path that no other file of the run has. */
static const char *short_name(const struct grid *g, const char *file)
{
    const char *name = hd_fs_base(file);
    for (uint32_t i = 0; i < g->run->n_log && name > file; i++) {
        const char *other = hd_step_at(&g->run->log[i], g->run, g->program, NULL).file;
        while (name > file && strcmp(other, file) != 0 && ends_in(other, name)) {
            name--;
            while (name > file && name[-1] != '/')
                name--;
        }
    }
    return name;
}

/* The line of source that the following rows of the thread are about. */
static void source_row(struct grid *g, uint32_t thread, struct hd_place place)
{
    bool switched = thread != g->last_thread;
    if (!switched && place.line == g->last_line && strcmp(place.file, g->last_file) == 0)
        return;
    if (switched && g->last_thread != ~0u && !g->shared)
        blank_row(g);
    g->last_thread = thread;
    g->last_line = place.line;
    g->last_file = place.file;
    struct hd_str words;
    hd_str_init(&words);
    if (g->shared) {
        hd_name_thread(&words, &g->run->threads, thread);
        hd_str_append(&words, "  ");
    }
    if (hd_lin_calls_around(&place))
        place.line = 0;
    const char *line = hd_source_line(&g->source, place.file, place.line);
    bool here = g->only && strcmp(g->only, place.file) == 0;
    if (place.line)
        hd_str_appendf(&words, "%s:%u", here ? "" : short_name(g, place.file), place.line);
    /* (two more for the dots where the rest is cut) */
    unsigned indent = room_for(g, indent_of(g, thread), (unsigned)words.length + 2);
    if (place.line)
        hd_str_appendf(&words, "%s%s", *line ? "  " : "", line);
    if (words.length)
        row_at(g, "", indent, hd_terminal_bold(g->text), words.text);
    hd_str_release(&words);
}

/* Behind the last step: what broke the program, or who waits. */
static void end_rows(struct grid *g)
{
    const struct hd_finding *f = &g->run->finding;
    struct hd_str words;
    hd_str_init(&words);
    if (breaks_somewhere(g->run)) {
        uint32_t thread;
        struct hd_place place = hd_step_place(g->run, g->program, &thread);
        source_row(g, thread, place);
        hd_str_appendf(&words, "  %s", f->message);
        bad_row(g, thread, words.text);
    }
    for (uint32_t i = 0; g->run->found && i < f->n_standings; i++) {
        const struct hd_standing *s = &f->standings[i];
        if (!waits(g->run, s) || g->column[s->thread] == NO_COLUMN)
            continue; /* a thread that only joins another needs no column */
        source_row(g, s->thread, hd_step_standing(s, g->run, g->program, NULL));
        hd_str_clear(&words);
        hd_str_append(&words, "  waits for ever");
        bad_row(g, s->thread, words.text);
    }
    hd_str_release(&words);
}

/* Below a stale step: what it reads instead of which store, and why it may. */
static void stale_rows(const struct grid *g, uint32_t i)
{
    const struct hd_stale *stale = hd_run_stale(g->run, &g->run->log[i]);
    if (!stale)
        return;
    struct hd_str words;
    hd_str_init(&words);
    hd_stale_words(&words, stale, g->run, g->program);
    unsigned room = g->text->width - GUTTER, own = indent_of(g, g->run->log[i].thread) + 4;
    unsigned indent = room_for(g, own, MARGIN);
    for (char *at = words.text; *at;) {
        size_t length = strlen(at), end = length;
        if (length > room - indent) {
            for (end = room - indent; end > 0 && at[end] != ' ';)
                end--;
            end = end ? end : room - indent;
        }
        char *next = at + end + (at[end] == ' ');
        bool last = at[end] == 0;
        at[end] = 0;
        row_at(g, "", indent, hd_terminal_bold(g->text), at);
        at = last ? at + end : next;
    }
    hd_str_release(&words);
}

/* A call begins or returns. */
static void call_row(struct grid *g, uint32_t i, const char *gutter)
{
    uint32_t thread = g->run->log[i].thread;
    bool begins = hd_lin_calls_role(&g->calls, i) == HD_LIN_BEGINS;
    struct hd_str words;
    if (thread != g->last_thread && g->last_thread != ~0u && !g->shared)
        blank_row(g);
    g->last_thread = thread;
    g->last_line = 0;
    hd_str_init(&words);
    if (g->shared) {
        hd_name_thread(&words, &g->run->threads, thread);
        hd_str_append(&words, "  ");
    } else {
        hd_str_append(&words, "+ ");
    }
    hd_lin_calls_words(&words, &g->calls, i);
    g->in_call[thread] = false;
    row_at(g, gutter, column_of(g, thread), hd_terminal_bold(g->text), words.text);
    g->in_call[thread] = begins;
    hd_str_release(&words);
}

static void step_row(struct grid *g, uint32_t i)
{
    const struct hd_step *step = &g->run->log[i];
    char gutter[24];
    struct hd_str words;
    snprintf(gutter, sizeof gutter, "%5u %c", i + 1,
             hd_lin_calls_preempts(&g->calls, g->run, i) ? '>' : ' ');
    if (hd_lin_calls_role(&g->calls, i) != HD_LIN_STEP) {
        call_row(g, i, gutter);
        return;
    }
    source_row(g, step->thread, hd_step_at(step, g->run, g->program, NULL));
    hd_str_init(&words);
    hd_str_append(&words, "  ");
    hd_step_what(&words, step, g->run, g->program);
    /* values, and the mark of a stale step, are not cut off */
    unsigned indent = room_for(g, indent_of(g, step->thread), (unsigned)words.length);
    row_at(g, gutter, indent, "", words.text);
    hd_str_release(&words);
    stale_rows(g, i);
}

/* Where the cycle of a livelock begins and where it ends. */
static void cycle_row(struct grid *g, uint32_t i)
{
    const struct hd_finding *f = &g->run->finding;
    uint32_t begin = g->run->n_log - f->cycle;
    if (!g->run->found || f->kind != HD_KIND_LIVELOCK || (i != begin && i != g->run->n_log))
        return;
    const char *words = i == begin ? "+-- from here on, for ever:" : "+-- and again from step ";
    fprintf(g->text->out, "%-*s%s%s", GUTTER, "", hd_terminal_bold(g->text), words);
    if (i != begin)
        fprintf(g->text->out, "%u", begin + 1);
    fprintf(g->text->out, "%s\n", hd_terminal_plain(g->text));
    g->last_thread = ~0u;
    g->last_line = 0;
}

/* Steps [from, to) are hidden. */
static void fold_row(struct grid *g, uint32_t from, uint32_t to)
{
    struct hd_str words;
    bool one = true, solo = true;
    uint32_t n = 0, before = from;
    while (from < to && hd_lin_calls_role(&g->calls, from) != HD_LIN_STEP)
        from++;
    for (uint32_t i = from; i < to; i++) {
        if (hd_lin_calls_role(&g->calls, i) != HD_LIN_STEP)
            continue;
        one = one && g->run->log[i].thread == g->run->log[from].thread;
        solo = solo && g->run->log[i].flags & HD_STEP_SOLO;
        n++;
    }
    if (n == 0)
        return;
    hd_str_init(&words);
    hd_str_appendf(&words, "... %u %ssteps", n, before ? "more " : "");
    if (one) {
        hd_str_append(&words, " of ");
        hd_name_thread(&words, &g->run->threads, g->run->log[from].thread);
    }
    if (solo)
        hd_str_append(&words, ", alone");
    uint32_t thread = g->run->log[from].thread;
    bool own = one && before > 0 && g->run->log[from - 1].thread == thread &&
               g->column[thread] != NO_COLUMN;
    if (own) {
        row(g, "", thread, hd_terminal_dim(g->text), words.text);
    } else {
        fprintf(g->text->out, "%-*s%s%s%s\n", GUTTER, "", hd_terminal_dim(g->text), words.text,
                hd_terminal_plain(g->text));
        g->last_thread = ~0u;
    }
    g->last_line = 0;
    hd_str_release(&words);
}

void hd_text_columns(const struct hd_terminal *text, const struct hd_run *run,
                     struct hd_program *program)
{
    struct grid g = { .text = text, .run = run, .program = program, .last_file = "" };
    if (run->n_log == 0)
        return;
    hd_source_init(&g.source, hd_program_directory(program));
    g.hidden = hd_alloc(run->n_log * sizeof *g.hidden);
    g.last_thread = ~0u;
    hd_causes_find(&g.causes, run, program);
    hd_lin_calls_init(&g.calls, run, program);
    if (!text->whole)
        fold(&g);
    fold_around(&g);
    if (run->found && run->finding.kind == HD_KIND_LIVELOCK && run->finding.cycle <= run->n_log)
        g.hidden[run->n_log - run->finding.cycle] = false;
    lay_out(&g);
    g.only = only_file(&g);
    head(&g);
    bool preempted = false;
    for (uint32_t i = 0, end = 0; i < run->n_log; i = end + 1) {
        for (end = i; end < run->n_log && g.hidden[end];)
            end++;
        if (end > i)
            fold_row(&g, i, end);
        if (end == run->n_log)
            break;
        preempted = preempted || hd_lin_calls_preempts(&g.calls, run, end);
        cycle_row(&g, end);
        step_row(&g, end);
    }
    cycle_row(&g, run->n_log);
    end_rows(&g);
    if (preempted)
        fprintf(text->out, "%s    > the thread before could have gone on%s\n",
                hd_terminal_dim(text), hd_terminal_plain(text));
    fputc('\n', text->out);
    free(g.hidden);
    hd_lin_calls_release(&g.calls);
    hd_source_release(&g.source);
}
