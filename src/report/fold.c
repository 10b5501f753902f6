#include "report/fold.h"

#include "core/enabled.h"
#include "report/step.h"
#include "report/written.h"
#include "supervise/explain_order.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH 12     /* longer stretches of one thread are folded */
#define STRETCH_ENDS 4 /* steps of a folded stretch that are shown at either end */
#define PRIVATE 3      /* that many steps in a row that concern no other thread are folded */
#define SHORT 16       /* PRIVATE applies to runs of more steps than this */
#define COMPARED 1000  /* and of at most so many */
#define WHOLE_HEAD 50  /* a run that is still too long: steps shown at its beginning */
#define WHOLE_TAIL 80  /* a run that is still too long: steps shown at its end */
#define MOST_LOCKS 8   /* operations on locks and the like that are shown in a folded stretch */
#define MOST_SPOKEN_OF 20

struct fold {
    const struct hd_run *run;
    const struct hd_program *program;
    const struct hd_causes *causes;
    const struct hd_lin_calls *calls;
    bool *hidden; /* by step */
};

static void hide(struct fold *g, uint32_t from, uint32_t to)
{
    if (to > from + 1) /* a single step takes no more room than the words about it */
        memset(g->hidden + from, true, (to - from) * sizeof *g->hidden);
}

static bool same_object(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

/* Did main make it before it created a thread? */
static bool is_early(const struct hd_run *run, uint32_t i)
{
    while (i > 0 && run->log[i - 1].op != HD_OP_CREATE && run->log[i - 1].thread == 0)
        i--;
    return i == 0;
}

/* Does the report mention the step elsewhere: is it one of the deciding ones, or what a thread
 * waits for? */
static bool spoken_of(const struct hd_run *run, uint32_t i)
{
    uint32_t told = run->joint ? run->n_orderings : run->n_orderings ? 1 : 0;
    for (uint32_t k = 0; k < (run->rewake ? 0 : told); k++)
        if (run->orderings[k].early_at == i || run->orderings[k].late_at == i)
            return true;
    if (run->rewake == i + 1 || hd_run_stale(run, &run->log[i]))
        return true;
    for (uint32_t k = 0; k < run->n_stale; k++)
        if (run->stale[k].source == i + 1 || run->stale[k].newer == i + 1)
            return true;
    if (run->log[i].op == HD_OP_ALLOC && run->log[i].choice)
        return true; /* the reused address explains what follows */
    bool made = hd_op_has((enum hd_op)run->log[i].op, HD_OPTRAIT_INITS);
    for (uint32_t k = 0; k < run->finding.n_standings && !made; k++) {
        const struct hd_standing *s = &run->finding.standings[k];
        if (s->object.where != HD_WHERE_NONE && s->object.where != HD_WHERE_THREAD &&
            same_object(&s->object, &run->log[i].object))
            return hd_op_table[run->log[i].op].space != HD_SPACE_MEM || !is_early(run, i);
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
static void fold_private(struct fold *g)
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
static void show_single(struct fold *g)
{
    for (uint32_t i = 0; i < g->run->n_log;) {
        uint32_t end = i, n = 0, last = 0;
        for (; end < g->run->n_log && g->hidden[end]; end++)
            if (hd_lin_calls_role(g->calls, end) != HD_LIN_HIDDEN &&
                !hd_fold_is_silent(&g->run->log[end])) {
                last = end;
                n++;
            }
        if (n == 1)
            g->hidden[last] = false;
        i = end + 1;
    }
}

/* What is around calls is never shown, where they begin and return always. */
static void fold_around(struct fold *g)
{
    for (uint32_t i = 0; g->calls->any && i < g->run->n_log; i++) {
        enum hd_lin_role role = hd_lin_calls_role(g->calls, i);
        g->hidden[i] = role == HD_LIN_HIDDEN || (role == HD_LIN_STEP && g->hidden[i]);
    }
}

/* Does the step only begin or end a thread, or wait for its end? */
static bool is_frame(const struct hd_step *s)
{
    return s->op == HD_OP_CREATE || s->op == HD_OP_JOIN || s->op == HD_OP_START ||
           s->op == HD_OP_EXIT || s->op == HD_OP_DETACH || s->flags & HD_STEP_NAMES;
}

bool hd_fold_breaks(const struct hd_run *run)
{
    enum hd_kind kind = (enum hd_kind)run->finding.kind;
    return run->found && kind != HD_KIND_DEADLOCK && kind != HD_KIND_DATA_RACE &&
           kind != HD_KIND_LIVELOCK;
}

/* Threads that do nothing but create and join others, perhaps write something before, or do
 * nothing at all, need no column. */
static void fold_idle(struct fold *g)
{
    bool busy[HD_MAX_THREADS] = { false }, early = true;
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->run->n_log; i++) {
        const struct hd_step *s = &g->run->log[i];
        early = early && s->op != HD_OP_CREATE;
        bool alone = early && hd_op_table[s->op].space == HD_SPACE_MEM;
        bool told = spoken_of(g->run, i) || hd_causes_have(g->causes, i);
        bool counts = !g->hidden[i] && (told || !(is_frame(s) || alone));
        n += counts && !busy[s->thread];
        busy[s->thread] = busy[s->thread] || counts;
    }
    if (hd_fold_breaks(g->run))
        busy[g->run->finding.thread] = true;
    for (uint32_t i = 0; n >= 2 && i < g->run->n_log; i++)
        g->hidden[i] = g->hidden[i] || !busy[g->run->log[i].thread];
}

/* Does the step tell another thread something: is what it writes read, does it wake one, does
 * the report mention it? */
static bool tells(const struct fold *g, uint32_t i)
{
    const struct hd_run *run = g->run;
    const struct hd_step *s = &run->log[i];
    if (spoken_of(run, i) || hd_causes_have(g->causes, i) || hd_written_unseen(run, i))
        return true;
    if (hd_op_table[s->op].space != HD_SPACE_MEM)
        return !is_frame(s) && hd_op_table[s->op].grant != HD_GRANT_FREE && s->op != HD_OP_UNLOCK;
    for (uint32_t k = i + 1; s->flags & HD_STEP_HAS_WRITTEN && k < run->n_log; k++)
        if (run->log[k].thread != s->thread && hd_written_reads(run, k, i))
            return true;
    return !(s->flags & (HD_STEP_HAS_WRITTEN | HD_STEP_HAS_READ));
}

/* Threads that have ended before a deadlock, and have told the others nothing: they have read,
 * and locked what they unlocked. */
static void fold_bystanders(struct fold *g)
{
    const struct hd_run *run = g->run;
    bool ended[HD_MAX_THREADS] = { false };
    if (!run->found || run->finding.kind != HD_KIND_DEADLOCK || run->n_log > COMPARED)
        return;
    for (uint32_t i = 0; i < run->n_log; i++)
        ended[run->log[i].thread] = run->log[i].op == HD_OP_EXIT;
    for (uint32_t i = 0; i < run->n_log; i++)
        if (ended[run->log[i].thread] && tells(g, i))
            ended[run->log[i].thread] = false;
    for (uint32_t i = 0; i < run->n_log; i++)
        g->hidden[i] = g->hidden[i] || ended[run->log[i].thread];
}

/* Of many threads, those without a step that the report tells of: that they ran as well says
 * nothing. */
static void fold_others(struct fold *g)
{
    enum { FEW = 3 };
    const struct hd_run *run = g->run;
    bool any[HD_MAX_THREADS] = { false }, told[HD_MAX_THREADS] = { false };
    uint32_t n = 0;
    if (!hd_fold_breaks(run) || !g->causes->n || run->n_log > COMPARED)
        return;
    told[run->finding.thread] = true;
    for (uint32_t i = 0; i < run->n_log; i++) {
        uint32_t thread = run->log[i].thread;
        n += !any[thread];
        any[thread] = true;
        told[thread] = told[thread] || spoken_of(run, i) || hd_causes_have(g->causes, i);
    }
    for (uint32_t i = 0; n > FEW && i < run->n_log; i++)
        g->hidden[i] = g->hidden[i] || !told[run->log[i].thread];
}

/* Library code that starts a thread of C++ hands a block of its own over to it. */
static bool is_library(const struct fold *g, const struct hd_step *s)
{
    if (hd_op_table[s->op].space != HD_SPACE_MEM)
        return false;
    struct hd_place place = hd_step_at(s, g->run, g->program, NULL);
    if ((!place.line && s->stack) || hd_str_ends(place.file, "/bits/std_thread.h"))
        return true;
    struct hd_str about;
    hd_str_init(&about);
    hd_step_about(&about, s, g->run, g->program);
    bool own = strstr(about.text, "std::thread::_State") ||
               hd_str_starts(about.text, "vtable for");
    hd_str_release(&about);
    return own;
}

static void fold_library(struct fold *g)
{
    for (uint32_t i = 0; i < g->run->n_log; i++)
        g->hidden[i] = g->hidden[i] || (is_library(g, &g->run->log[i]) && !spoken_of(g->run, i));
}

void hd_fold_frames(const struct hd_run *run, bool *hidden)
{
    for (uint32_t i = 0; i < run->n_log; i++) {
        uint16_t op = run->log[i].op;
        bool frame = is_frame(&run->log[i]) && op != HD_OP_START && op != HD_OP_EXIT;
        hidden[i] = hidden[i] || (frame && !spoken_of(run, i));
    }
}

/* What is locked and unlocked in a stretch says much about it, if that is not too often. */
static void show_locks(struct fold *g, uint32_t from, uint32_t to)
{
    uint32_t n = 0;
    for (uint32_t i = from; i < to; i++)
        n += hd_op_table[g->run->log[i].op].space == HD_SPACE_SYNC;
    for (uint32_t i = from; n <= MOST_LOCKS && i < to; i++)
        if (hd_op_table[g->run->log[i].op].space == HD_SPACE_SYNC)
            g->hidden[i] = false;
}

/* Looks for signals that found none: there is one before each operation. */
static void fold_silent(struct fold *g)
{
    for (uint32_t i = 0; i < g->run->n_log; i++)
        g->hidden[i] = g->hidden[i] || hd_fold_is_silent(&g->run->log[i]);
}

static void fold(struct fold *g)
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
        if (end - i > STRETCH) {
            hide(g, i + STRETCH_ENDS, end - STRETCH_ENDS);
            show_locks(g, i + STRETCH_ENDS, end - STRETCH_ENDS);
        }
        i = end;
    }
    fold_private(g);
    fold_silent(g);
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
        g->hidden[i] = g->hidden[i] && !hd_causes_have(g->causes, i);
    fold_around(g);
    show_single(g);
    fold_silent(g);
    if (g->calls->any)
        return;
    fold_library(g);
    fold_bystanders(g);
    fold_others(g);
    fold_idle(g);
}

bool *hd_fold(const struct hd_run *run, const struct hd_program *program,
              const struct hd_causes *causes, const struct hd_lin_calls *calls, bool whole)
{
    struct fold g = { .run = run, .program = program, .causes = causes, .calls = calls };
    g.hidden = hd_alloc(run->n_log * sizeof *g.hidden);
    if (!whole)
        fold(&g);
    fold_around(&g);
    return g.hidden;
}
