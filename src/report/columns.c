/* The interleaving, time going down, a column per thread.  A thread's steps at one line of
 * source stand under that line; at the end is what broke the program, or which threads wait
 * for ever.  What is left out (report/fold.h) is in the trace.  Calls of heddle/lin.h are
 * brackets: a bar in the column of a thread from where a call begins to where it returns. */
#include "base/fs.h"
#include "base/str.h"
#include "report/cause.h"
#include "report/fold.h"
#include "report/grid.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/role.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/text.h"

#include <stdlib.h>
#include <string.h>

#define SOURCE_LINES 3  /* of a line of source that are shown */
#define SOURCE_WIDTH 48 /* characters of one for which a column is made wider */

struct table {
    struct hd_grid grid;
    const struct hd_terminal *text;
    const struct hd_run *run;
    struct hd_program *program;
    struct hd_source source;
    struct hd_causes causes;
    bool *hidden;     /* by step */
    const char *only; /* the one file that all steps are of; NULL: there are several, or none */
    uint32_t last_thread, last_line;
    const char *last_file, *last_source;
    struct hd_place before[HD_MAX_THREADS]; /* by thread: the place of its last row */
    struct hd_lin_calls calls;
    uint32_t owner[HD_MAX_THREADS]; /* by column: the thread whose it is at the current row */
};

/* Does the thread of a deadlock wait: has it a row at the end? */
static bool waits(const struct hd_run *run, const struct hd_standing *s)
{
    return run->finding.kind == HD_KIND_DEADLOCK && s->op != HD_OP_NONE && !s->enabled;
}

/* The file of all steps that are shown, if there is one. */
static const char *only_file(const struct table *g)
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

/* Does the path end in these folders and this name? */
static bool ends_in(const char *path, const char *tail)
{
    size_t n = strlen(path), end = strlen(tail);
    return n >= end && strcmp(path + n - end, tail) == 0 &&
           (n == end || path[n - end - 1] == '/');
}

/* The end of the file's path that no other file of the run has. */
static const char *short_name(const struct table *g, const char *file)
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

/* The line of the place; of one that would be cut in the thread's column, the statement. */
static const char *source_of(struct table *g, uint32_t thread, const struct hd_place *place)
{
    enum { PLACE = 12, HANG = 4 }; /* characters before it, in the first line and the others */
    const char *line = hd_source_line(&g->source, place->file, place->line);
    uint32_t column = g->grid.column[thread];
    size_t width = column == HD_GRID_NONE ? 0 : g->grid.width[column];
    bool known = width > PLACE; /* not while columns are measured */
    return known && strlen(line) > SOURCE_LINES * (width - HANG) - (PLACE - HANG)
               ? hd_source_statement(&g->source, place)
               : line;
}

/* ":31  x = 1;", ":31  .. x = 1; }" */
static void source_words(struct table *g, struct hd_str *out, uint32_t thread,
                         struct hd_place place)
{
    if (hd_lin_calls_around(&place) || !place.line)
        return;
    const char *line = source_of(g, thread, &place);
    bool whole = line == hd_source_line(&g->source, place.file, place.line);
    bool here = g->only && strcmp(g->only, place.file) == 0;
    hd_str_appendf(out, "%s:%u%s%s", here ? "" : short_name(g, place.file), place.line,
                   !*line  ? ""
                   : whole ? "  "
                           : "  .. ",
                   line);
}

static void need_source(struct table *g, uint32_t thread, struct hd_place place)
{
    struct hd_str words;
    hd_str_init(&words);
    source_words(g, &words, thread, place);
    if (words.length > SOURCE_WIDTH)
        hd_str_cut(&words, SOURCE_WIDTH);
    hd_grid_need(&g->grid, thread, words.text);
    hd_str_release(&words);
}

/* Tells the columns what will stand in them. */
static void measure(struct table *g)
{
    const struct hd_finding *f = &g->run->finding;
    struct hd_str words;
    hd_str_init(&words);
    for (uint32_t i = 0; i < g->run->n_log; i++) {
        const struct hd_step *step = &g->run->log[i];
        if (g->hidden[i])
            continue;
        hd_str_clear(&words);
        hd_str_append(&words, "    ");
        if (hd_lin_calls_role(&g->calls, i) == HD_LIN_STEP) {
            hd_step_what(&words, step, g->run, g->program);
            need_source(g, step->thread, hd_step_at(step, g->run, g->program, NULL));
        } else {
            hd_lin_calls_words(&words, &g->calls, i);
        }
        hd_grid_need(&g->grid, step->thread, words.text);
    }
    for (uint32_t i = 0; g->run->found && i < f->n_standings; i++)
        if (waits(g->run, &f->standings[i]))
            need_source(g, f->standings[i].thread,
                        hd_step_standing(&f->standings[i], g->run, g->program, NULL));
    if (hd_fold_breaks(g->run)) {
        hd_str_clear(&words);
        hd_str_appendf(&words, "    %s", f->message);
        hd_grid_need(&g->grid, f->thread, words.text);
    }
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++)
        if (g->grid.column[t] != HD_GRID_NONE) {
            hd_str_clear(&words);
            hd_role_thread(&words, t, g->run, g->program);
            hd_grid_need(&g->grid, t, words.text);
        }
    hd_str_release(&words);
}

/* From the first row of each thread to its last one. */
static void find_spans(const struct table *g, struct hd_span *spans)
{
    const struct hd_run *run = g->run;
    const struct hd_finding *f = &run->finding;
    memset(spans, 0, HD_MAX_THREADS * sizeof *spans);
    for (uint32_t i = 0; i < run->n_log; i++) {
        struct hd_span *span = &spans[run->log[i].thread];
        if (!g->hidden[i])
            *span = (struct hd_span){ span->end ? span->begin : i, i + 1 };
    }
    for (uint32_t i = 0; run->found && i < f->n_standings; i++)
        if (waits(run, &f->standings[i]) &&
            (f->standings[i].op != HD_OP_JOIN || spans[f->standings[i].thread].end)) {
            struct hd_span *span = &spans[f->standings[i].thread];
            *span = (struct hd_span){ span->end ? span->begin : run->n_log, run->n_log + 1 };
        }
    if (hd_fold_breaks(run)) {
        struct hd_span *span = &spans[f->thread];
        *span = (struct hd_span){ span->end ? span->begin : run->n_log, run->n_log + 1 };
    }
}

static void lay_out(struct table *g)
{
    struct hd_span spans[HD_MAX_THREADS];
    find_spans(g, spans);
    hd_grid_init(&g->grid, g->text, spans);
    g->grid.bars = g->calls.any;
    if (hd_grid_is_narrow(&g->grid) && !g->calls.any && !g->text->whole) {
        hd_fold_frames(g->run, g->hidden);
        find_spans(g, spans);
        hd_grid_init(&g->grid, g->text, spans);
        if (hd_grid_is_narrow(&g->grid))
            hd_grid_share(&g->grid, spans);
    }
    for (uint32_t c = 0; c < HD_MAX_THREADS; c++)
        g->owner[c] = HD_GRID_NONE;
    /* A column that threads share begins with the one whose first step comes first. */
    for (uint32_t t = 0; t < HD_MAX_THREADS; t++) {
        uint32_t c = g->grid.column[t];
        if (c != HD_GRID_NONE &&
            (g->owner[c] == HD_GRID_NONE || spans[t].begin < spans[g->owner[c]].begin))
            g->owner[c] = t;
    }
    measure(g);
    hd_grid_lay_out(&g->grid);
}

static void head(const struct table *g)
{
    const struct hd_grid *grid = &g->grid;
    if (g->only)
        fprintf(g->text->out, "%-*s%sall in %s%s\n", HD_GRID_GUTTER, "", hd_terminal_dim(g->text),
                hd_fs_base(g->only), hd_terminal_plain(g->text));
    if (grid->shared)
        return;
    struct hd_str line, name;
    hd_str_init(&line);
    hd_str_init(&name);
    hd_str_appendf(&line, "%-*s", HD_GRID_GUTTER, " step");
    for (uint32_t column = 0; column < grid->n; column++) {
        uint32_t t = g->owner[column];
        hd_str_clear(&name);
        hd_role_thread(&name, t, g->run, g->program);
        if (hd_terminal_length(name.text) + 1 > grid->width[column]) {
            hd_str_clear(&name);
            hd_name_thread(&name, &g->run->threads, t);
        }
        hd_str_append(&line, name.text);
        size_t end = HD_GRID_GUTTER + (size_t)grid->begin[column] + grid->width[column];
        while (line.length < end && column + 1 < grid->n)
            hd_str_append_char(&line, ' ');
    }
    fprintf(g->text->out, "%s%s%s\n", hd_terminal_bold(g->text), line.text,
            hd_terminal_plain(g->text));
    hd_str_release(&name);
    hd_str_release(&line);
}

/* Another thread has the column from here on. */
static void owner_row(struct table *g, uint32_t thread)
{
    uint32_t column = g->grid.column[thread];
    if (g->grid.shared || g->owner[column] == thread)
        return;
    struct hd_str words;
    struct hd_grid_row row = { .gutter = "",
                               .thread = thread,
                               .paint = hd_terminal_bold(g->text) };
    hd_str_init(&words);
    hd_role_thread(&words, thread, g->run, g->program);
    hd_str_append(&words, ", from here on:");
    hd_grid_row(&g->grid, &row, words.text);
    hd_str_release(&words);
    g->owner[column] = thread;
}

static bool same_function(const struct hd_place *a, const struct hd_place *b)
{
    return a->line && strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0;
}

/* The condition under which the place stands, if the thread has come by it since its last row
 * and it has no step of its own. */
static void guard_row(struct table *g, uint32_t thread, const struct hd_place *place)
{
    struct hd_place *before = &g->before[thread], guard = *place;
    bool ahead = same_function(before, place) && before->line < place->line;
    guard.line = ahead ? hd_source_guard(&g->source, place, before->line) : 0;
    *before = *place;
    if (!guard.line || hd_lin_calls_around(place))
        return;
    struct hd_str words;
    struct hd_grid_row row = { .gutter = "",
                               .thread = thread,
                               .hang = 4,
                               .most = SOURCE_LINES,
                               .paint = hd_terminal_dim(g->text) };
    hd_str_init(&words);
    hd_str_append(&words, g->grid.shared ? "  " : "");
    source_words(g, &words, thread, guard);
    hd_grid_row(&g->grid, &row, words.text);
    hd_str_release(&words);
}

/* The line of source that the following rows of the thread are about. */
static void source_row(struct table *g, uint32_t thread, struct hd_place place)
{
    bool switched = thread != g->last_thread;
    const char *source = source_of(g, thread, &place);
    if (!switched && place.line == g->last_line && source == g->last_source &&
        strcmp(place.file, g->last_file) == 0)
        return;
    if (switched && g->last_thread != ~0u && !g->grid.shared)
        hd_grid_blank(&g->grid);
    owner_row(g, thread);
    g->last_thread = thread;
    g->last_line = place.line;
    g->last_file = place.file;
    g->last_source = source;
    if (!g->grid.shared || !switched)
        guard_row(g, thread, &place);
    g->before[thread] = place;
    struct hd_str words;
    hd_str_init(&words);
    if (g->grid.shared && switched) {
        hd_role_thread(&words, thread, g->run, g->program);
        hd_str_append(&words, place.line ? "  " : "");
    } else if (g->grid.shared) {
        hd_str_append(&words, "  ");
    }
    source_words(g, &words, thread, place);
    struct hd_grid_row row = { .gutter = "",
                               .thread = thread,
                               .hang = 4,
                               .most = SOURCE_LINES,
                               .paint = hd_terminal_bold(g->text) };
    if (words.length > strspn(words.text, " "))
        hd_grid_row(&g->grid, &row, words.text);
    hd_str_release(&words);
}

/* A row of the thread that is never cut. */
static void step_words(const struct table *g, const char *gutter, uint32_t thread,
                       const char *paint, const char *words)
{
    struct hd_grid_row row = {
        .gutter = gutter, .thread = thread, .indent = 2, .hang = 6, .paint = paint
    };
    hd_grid_row(&g->grid, &row, words);
}

/* Behind the last step: what broke the program, or who waits. */
static void end_rows(struct table *g)
{
    const struct hd_finding *f = &g->run->finding;
    const char *bad = hd_terminal_bad(g->text);
    if (hd_fold_breaks(g->run)) {
        uint32_t thread;
        struct hd_place place = hd_step_place(g->run, g->program, &thread);
        source_row(g, thread, place);
        step_words(g, "    !", thread, bad, f->message);
    }
    for (uint32_t i = 0; g->run->found && i < f->n_standings; i++) {
        const struct hd_standing *s = &f->standings[i];
        if (!waits(g->run, s) || g->grid.column[s->thread] == HD_GRID_NONE)
            continue; /* a thread that only joins another needs no column */
        struct hd_place place = hd_step_standing(s, g->run, g->program, NULL);
        const struct hd_place *before = &g->before[s->thread];
        bool known = same_function(before, &place) && before->line == place.line &&
                     !g->grid.shared && g->owner[g->grid.column[s->thread]] == s->thread;
        if (!known)
            source_row(g, s->thread, place);
        g->last_thread = s->thread;
        step_words(g, "    !", s->thread, bad, "waits for ever");
    }
}

/* Below a stale step: what it reads instead of which store, and why it may. */
static void stale_rows(const struct table *g, uint32_t i)
{
    const struct hd_stale *stale = hd_run_stale(g->run, &g->run->log[i]);
    if (!stale)
        return;
    struct hd_str words;
    hd_str_init(&words);
    hd_stale_words(&words, stale, g->run, g->program);
    struct hd_grid_row row = { .gutter = "",
                               .thread = g->run->log[i].thread,
                               .indent = 4,
                               .hang = 4,
                               .paint = hd_terminal_bold(g->text) };
    hd_grid_row(&g->grid, &row, words.text);
    hd_str_release(&words);
}

/* A call begins or returns. */
static void call_row(struct table *g, uint32_t i, const char *gutter)
{
    uint32_t thread = g->run->log[i].thread;
    bool begins = hd_lin_calls_role(&g->calls, i) == HD_LIN_BEGINS;
    struct hd_str words;
    if (thread != g->last_thread && g->last_thread != ~0u && !g->grid.shared)
        hd_grid_blank(&g->grid);
    g->last_thread = thread;
    g->last_line = 0;
    hd_str_init(&words);
    if (g->grid.shared) {
        hd_name_thread(&words, &g->run->threads, thread);
        hd_str_append(&words, "  ");
    } else {
        hd_str_append(&words, "+ ");
    }
    hd_lin_calls_words(&words, &g->calls, i);
    g->grid.in_call[thread] = false;
    struct hd_grid_row row = { .gutter = gutter,
                               .thread = thread,
                               .at_bar = true,
                               .hang = 4,
                               .paint = hd_terminal_bold(g->text) };
    hd_grid_row(&g->grid, &row, words.text);
    g->grid.in_call[thread] = begins;
    hd_str_release(&words);
}

static void step_row(struct table *g, uint32_t i)
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
    hd_step_what(&words, step, g->run, g->program);
    step_words(g, gutter, step->thread, "", words.text);
    hd_str_release(&words);
    stale_rows(g, i);
}

/* Where the cycle of a livelock begins and where it ends. */
static void cycle_row(struct table *g, uint32_t i)
{
    const struct hd_finding *f = &g->run->finding;
    uint32_t begin = g->run->n_log - f->cycle;
    if (!g->run->found || f->kind != HD_KIND_LIVELOCK || (i != begin && i != g->run->n_log))
        return;
    const char *words = i == begin ? "+-- from here on, for ever:" : "+-- and again from step ";
    fprintf(g->text->out, "%-*s%s%s", HD_GRID_GUTTER, "", hd_terminal_bold(g->text), words);
    if (i != begin)
        fprintf(g->text->out, "%u", begin + 1);
    fprintf(g->text->out, "%s\n", hd_terminal_plain(g->text));
    g->last_thread = ~0u;
    g->last_line = 0;
}

/* Steps [from, to) are hidden. */
static void fold_row(struct table *g, uint32_t from, uint32_t to)
{
    struct hd_str words;
    bool one = true, solo = true;
    uint32_t n = 0, before = from;
    while (from < to && hd_lin_calls_role(&g->calls, from) != HD_LIN_STEP)
        from++;
    for (uint32_t i = from; i < to; i++) {
        if (hd_lin_calls_role(&g->calls, i) != HD_LIN_STEP || hd_fold_is_silent(&g->run->log[i]))
            continue;
        one = one && g->run->log[i].thread == g->run->log[from].thread;
        solo = solo && g->run->log[i].flags & HD_STEP_SOLO;
        n++;
    }
    if (n == 0)
        return;
    hd_str_init(&words);
    hd_str_appendf(&words, "... %u %sstep%s", n, before ? "more " : "", n == 1 ? "" : "s");
    if (one) {
        hd_str_append(&words, " of ");
        hd_name_thread(&words, &g->run->threads, g->run->log[from].thread);
    }
    if (solo)
        hd_str_append(&words, ", alone");
    uint32_t thread = g->run->log[from].thread;
    bool own = one && before > 0 && g->run->log[from - 1].thread == thread &&
               g->grid.column[thread] != HD_GRID_NONE;
    if (own) {
        struct hd_grid_row row = {
            .gutter = "", .thread = thread, .hang = 4, .paint = hd_terminal_dim(g->text)
        };
        hd_grid_row(&g->grid, &row, words.text);
    } else {
        fprintf(g->text->out, "%-*s%s%s%s\n", HD_GRID_GUTTER, "", hd_terminal_dim(g->text),
                words.text, hd_terminal_plain(g->text));
        g->last_thread = ~0u;
    }
    g->last_line = 0;
    hd_str_release(&words);
}

void hd_text_columns(const struct hd_terminal *text, const struct hd_run *run,
                     struct hd_program *program)
{
    struct table g = { .text = text, .run = run, .program = program, .last_file = "" };
    if (run->n_log == 0)
        return;
    hd_source_init(&g.source, hd_program_directory(program));
    g.last_thread = ~0u;
    hd_causes_find(&g.causes, run, program);
    hd_lin_calls_init(&g.calls, run, program);
    g.hidden = hd_fold(run, program, &g.causes, &g.calls, text->whole);
    if (run->found && run->finding.kind == HD_KIND_LIVELOCK && run->finding.cycle <= run->n_log)
        g.hidden[run->n_log - run->finding.cycle] = false;
    g.only = only_file(&g);
    lay_out(&g);
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
