#include "report/step.h"

#include "core/enabled.h"
#include "core/fault.h"
#include "report/name.h"
#include "report/object.h"
#include "report/quoted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOOKED_AT = 4096 }; /* steps, for a name */
enum { LAST_STEPS = 40 };       /* of a thread, for the function that fails */

static bool same_object(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

/* The site of a wait names the condition variable; its mutex is called as where it was
 * locked. */
static void mutex_name(struct hd_str *out, const struct hd_name *name,
                       const struct hd_step *before, const struct hd_run *run,
                       const struct hd_program *program)
{
    bool inside = before >= run->log && before < run->log + run->n_log;
    uint32_t end = inside ? (uint32_t)(before - run->log) : run->n_log;
    uint32_t last = end > MOST_LOOKED_AT ? end - MOST_LOOKED_AT : 0;
    for (uint32_t i = end; i-- > last;) {
        const struct hd_step *s = &run->log[i];
        if ((s->op == HD_OP_LOCK || s->op == HD_OP_TRYLOCK || s->op == HD_OP_UNLOCK ||
             s->op == HD_OP_MUTEX_INIT) &&
            same_object(&s->object, name)) {
            hd_object_at(out, name, s->site, 0, &run->threads, program);
            return;
        }
    }
    hd_object_name(out, name, 0, &run->threads, program);
}

void hd_step_mutex(struct hd_str *out, const struct hd_step *wait, const struct hd_run *run,
                   const struct hd_program *program)
{
    mutex_name(out, &wait->object2, wait, run, program);
}

/* All of a block is freed. */
static uint64_t bytes_of(enum hd_op op, uint32_t size)
{
    return op == HD_OP_FREE ? UINT64_MAX : size;
}

static bool same_block(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index;
}

/* Is the object of that site another block elsewhere in the run?  Then `p->lock` does not say
 * which one is meant. */
static bool is_ambiguous(const struct hd_run *run, uint32_t site, const struct hd_name *object)
{
    uint32_t first = run->n_log > MOST_LOOKED_AT ? run->n_log - MOST_LOOKED_AT : 0;
    if (object->where != HD_WHERE_HEAP || !site)
        return false;
    for (uint32_t i = first; i < run->n_log; i++)
        if (run->log[i].site == site && run->log[i].object.where == HD_WHERE_HEAP &&
            !same_block(&run->log[i].object, object))
            return true;
    for (uint32_t i = 0; i < run->finding.n_standings; i++)
        if (run->finding.standings[i].site == site &&
            run->finding.standings[i].object.where == HD_WHERE_HEAP &&
            !same_block(&run->finding.standings[i].object, object))
            return true;
    return false;
}

/* " (account#1)", if the name that was appended leaves open which block it is. */
static void append_identity(struct hd_str *out, size_t before, const struct hd_name *object,
                            uint32_t site, const struct hd_run *run,
                            const struct hd_program *program)
{
    if (strchr(out->text + before, '#') || !is_ambiguous(run, site, object))
        return;
    hd_str_append(out, " (");
    hd_value_block(out, object, run, program);
    hd_str_append_char(out, ')');
}

void hd_step_about(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                   const struct hd_program *program)
{
    size_t before = out->length;
    if (step->op == HD_OP_RELOCK)
        mutex_name(out, &step->object, step, run, program);
    else
        hd_object_at(out, &step->object, step->site, bytes_of((enum hd_op)step->op, step->size),
                     &run->threads, program);
    append_identity(out, before, &step->object, step->site, run, program);
}

void hd_step_stood_at(struct hd_str *out, const struct hd_standing *s, const struct hd_run *run,
                      const struct hd_program *program)
{
    uint32_t size = hd_program_site(program, s->site).bytes;
    hd_object_at(out, &s->object, s->site, bytes_of((enum hd_op)s->op, size), &run->threads,
                 program);
}

static void append_values(struct hd_str *out, const struct hd_step *step,
                          const struct hd_run *run, const struct hd_program *program)
{
    bool read = step->flags & HD_STEP_HAS_READ, written = step->flags & HD_STEP_HAS_WRITTEN;
    struct hd_str before, after;
    hd_str_init(&before);
    hd_str_init(&after);
    bool copy = step->op == HD_OP_COPY; /* it reads what it writes */
    if (read && !copy)
        hd_value_read(&before, step, run, program);
    if (written)
        hd_value_written(&after, step, run, program);
    if (before.length && after.length)
        hd_str_appendf(out, ": %s -> %s", before.text, after.text);
    else if (before.length || after.length)
        hd_str_appendf(out, " = %s%s", before.text, after.text);
    hd_str_release(&before);
    hd_str_release(&after);
}

static void append_fault(struct hd_str *out, const struct hd_step *step)
{
    const char *call = step->op == HD_OP_FAULT_MALLOC   ? "malloc"
                       : step->op == HD_OP_FAULT_CREATE ? "create"
                       : step->op == HD_OP_FAULT_CAS    ? "weak compare-exchange"
                                                        : "call";
    hd_str_appendf(out, step->choice ? "%s fails (fault)" : "%s succeeds", call);
    if (step->choice > 1)
        hd_str_appendf(out, ", way %u", step->choice);
}

/* An allocation that gets the address of a freed block; value_read names the block. */
static void append_reuse(struct hd_str *out, const struct hd_step *step, const struct hd_run *run)
{
    const struct hd_name block = { .where = HD_WHERE_HEAP,
                                   .thread = (uint32_t)(step->value_read >> 32),
                                   .index = (uint32_t)step->value_read };
    bool inside = step >= run->log && step < run->log + run->n_log;
    uint32_t i = inside ? (uint32_t)(step - run->log) : 0;
    while (i > 0 &&
           !(run->log[i - 1].op == HD_OP_FREE && same_object(&run->log[i - 1].object, &block)))
        i--;
    hd_str_append(out, "malloc gives ");
    if (i)
        hd_str_appendf(out, "the block freed at step %u (reuse)", i);
    else
        hd_str_append(out, "the address of a freed block (reuse)");
}

/* Under a weak memory model a choice is that of a store, or of a state that is past. */
static void append_choice(struct hd_str *out, const struct hd_step *step,
                          const struct hd_run *run)
{
    const struct hd_stale *stale = hd_run_stale(run, step);
    if (stale)
        hd_str_append(out, stale->store ? " (not the newest)" : " (stale)");
    else if (run->memory != HD_MEMORY_SC && hd_op_table[step->op].space != HD_SPACE_MEM &&
             hd_op_failed((enum hd_op)step->op))
        hd_str_append(out, " (sees an older state)");
    else
        hd_str_appendf(out, ", choice %u", step->choice);
}

/* ", wakes T1 and T2" */
static void append_woken(struct hd_str *out, uint64_t threads, const struct hd_run *run)
{
    for (const char *before = ", wakes "; threads; threads &= threads - 1) {
        hd_str_append(out, before);
        hd_name_thread(out, &run->threads, (uint32_t)__builtin_ctzll(threads));
        before = __builtin_popcountll(threads) == 2 ? " and " : ", ";
    }
}

void hd_step_what(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                  const struct hd_program *program)
{
    if (hd_op_is_fault((enum hd_op)step->op)) {
        append_fault(out, step);
        return;
    }
    if (step->op == HD_OP_ALLOC && step->choice) {
        append_reuse(out, step, run);
        return;
    }
    if (step->flags & HD_STEP_NAMES && step->woken) {
        hd_str_append(out, "name ");
        hd_name_thread(out, &run->threads, step->woken - 1);
        return;
    }
    hd_str_append(out, step->op == HD_OP_NONE ? "a step" : hd_op_table[step->op].text);
    /* A thread starts and exits itself. */
    bool itself = step->object.where == HD_WHERE_THREAD && step->object.thread == step->thread;
    if (step->object.where != HD_WHERE_NONE && !itself) {
        hd_str_append_char(out, ' ');
        hd_step_about(out, step, run, program);
    }
    if (hd_op_gives_mutex((enum hd_op)step->op)) {
        hd_str_append(out, ", releases ");
        hd_step_mutex(out, step, run, program);
    } else if (step->op == HD_OP_COPY) {
        hd_str_append(out, " from ");
        hd_object_name(out, &step->object2, step->size, &run->threads, program);
    }
    append_values(out, step, run, program);
    if (step->woken) {
        hd_str_append(out, ", wakes ");
        hd_name_thread(out, &run->threads, step->woken - 1);
    } else if (step->op == HD_OP_BROADCAST && step->value_written) {
        append_woken(out, step->value_written, run);
    } else if (step->flags & HD_STEP_UNHEARD) {
        hd_str_append(out, ", nobody waits");
    } else if (step->choice) {
        append_choice(out, step, run);
    }
}

void hd_step_where(struct hd_str *out, const struct hd_place *place)
{
    if (place->line)
        hd_str_appendf(out, "%s:%u", place->file, place->line);
}

static const char *access_words(enum hd_op op)
{
    switch (op) {
    case HD_OP_READ:
        return "reads";
    case HD_OP_WRITE:
        return "writes";
    case HD_OP_ATOMIC_READ:
    case HD_OP_FUTEX_READ:
        return "reads (atomically)";
    case HD_OP_ATOMIC_WRITE:
        return "writes (atomically)";
    case HD_OP_RMW:
    case HD_OP_CAS:
        return "changes (atomically)";
    case HD_OP_COPY:
        return "copies";
    case HD_OP_FREE:
        return "frees";
    default:
        return hd_op_table[op].text;
    }
}

/* "T1 writes counter at a.c:9" */
static void append_access(struct hd_str *out, const struct hd_standing *s,
                          const struct hd_run *run, const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, s->site);
    hd_name_thread(out, &run->threads, s->thread);
    hd_str_appendf(out, " %s ", access_words((enum hd_op)s->op));
    hd_step_stood_at(out, s, run, program);
    if (place.line) {
        hd_str_append(out, " at ");
        hd_step_where(out, &place);
    }
}

bool hd_step_is_past(const struct hd_run *run, const struct hd_standing *s)
{
    return run->finding.kind == HD_KIND_DATA_RACE && run->finding.race_step &&
           s == &run->finding.standings[0];
}

/* A step of the run at the place; NULL: none. */
static const struct hd_step *step_at(const struct hd_run *run, const struct hd_origin *o)
{
    for (uint32_t i = run->n_log; i-- > 0;)
        if (run->log[i].thread == o->thread && run->log[i].site == o->site)
            return &run->log[i];
    return NULL;
}

/* "T1's store of ready at a.c:9 does not release" */
static void append_origin(struct hd_str *out, const struct hd_run *run, const struct hd_origin *o,
                          const struct hd_program *program)
{
    static const char *const words[][2] = {
        [HD_ORIGIN_STORE] = { "store", "does not release" },
        [HD_ORIGIN_LOAD] = { "load", "does not acquire" },
        [HD_ORIGIN_TRY] = { "attempt", "failed, which orders nothing" },
        [HD_ORIGIN_SIGNAL] = { "signal", "orders nothing, only the mutex does" },
    };
    struct hd_place place = hd_program_site(program, o->site);
    hd_name_thread(out, &run->threads, o->thread);
    hd_str_appendf(out, "'s %s", words[o->what][0]);
    const struct hd_step *step = o->what <= HD_ORIGIN_LOAD ? step_at(run, o) : NULL;
    if (step) {
        hd_str_append(out, " of ");
        hd_step_about(out, step, run, program);
    }
    if (place.line) {
        hd_str_append(out, " at ");
        hd_step_where(out, &place);
    }
    hd_str_appendf(out, " %s", words[o->what][1]);
}

static void append_why(struct hd_str *out, const struct hd_run *run,
                       const struct hd_program *program)
{
    for (uint32_t i = 0; i < run->finding.n_origins; i++) {
        const struct hd_origin *o = &run->finding.origins[i];
        if (o->what < HD_ORIGIN_STORE || o->what > HD_ORIGIN_SIGNAL)
            return;
        hd_str_append(out, i ? ", and " : ": ");
        append_origin(out, run, o, program);
    }
}

static void name_race(struct hd_str *out, const struct hd_run *run,
                      const struct hd_program *program)
{
    const struct hd_finding *f = &run->finding;
    append_access(out, &f->standings[0], run, program);
    hd_str_append(out, f->race_step ? ", " : " while ");
    append_access(out, &f->standings[1], run, program);
    if (f->race_step) {
        hd_str_append(out, ", and nothing orders the two");
        append_why(out, run, program);
    }
}

/* Has the run a step of the failing thread that reads it there?  That says the same. */
static bool is_in_log(const struct hd_run *run, const struct hd_place *shown,
                      const struct hd_program *program)
{
    uint32_t seen = 0;
    for (uint32_t i = run->n_log; i-- > 0 && seen < LAST_STEPS;) {
        if (run->log[i].thread != run->finding.thread)
            continue;
        struct hd_place at = hd_program_site(program, run->log[i].site);
        seen++;
        if (at.line == shown->line && strcmp(at.variable, shown->variable) == 0 &&
            strcmp(at.file, shown->file) == 0)
            return true;
    }
    return false;
}

/* "assertion `x == y' failed: x = 0, y = 1" */
static void name_assertion(struct hd_str *out, const struct hd_run *run,
                           const struct hd_program *program)
{
    const char *before = ": ";
    hd_str_append(out, run->finding.message);
    for (uint32_t i = 0; i < run->finding.n_shown; i++) {
        const struct hd_shown *shown = &run->finding.shown[i];
        struct hd_place place = hd_program_site(program, shown->site);
        if (is_in_log(run, &place, program))
            continue;
        hd_str_appendf(out, "%s%s = ", before, place.variable);
        hd_value_shown(out, shown, run, program);
        before = ", ";
    }
}

void hd_step_name_values(struct hd_run *run, const struct hd_program *program)
{
    struct hd_finding *f = &run->finding;
    struct hd_str text;
    if (!run->found || (f->kind != HD_KIND_DATA_RACE && !f->n_shown))
        return;
    hd_str_init(&text);
    (f->kind == HD_KIND_DATA_RACE ? name_race : name_assertion)(&text, run, program);
    f->n_shown = 0;
    snprintf(f->message, sizeof f->message, "%s", text.text);
    hd_str_release(&text);
}

/* Of the threads in a deadlock those in join only wait for the others. */
static const struct hd_standing *first_stuck(const struct hd_finding *finding)
{
    const struct hd_standing *first = NULL;
    for (uint32_t i = 0; i < finding->n_standings; i++) {
        const struct hd_standing *s = &finding->standings[i];
        if (s->op == HD_OP_NONE || s->enabled)
            continue;
        if (!first || (first->op == HD_OP_JOIN && s->op != HD_OP_JOIN))
            first = s;
    }
    return first;
}

/* Where the thread made its last step. */
static uint32_t last_site(const struct hd_run *run, uint32_t thread)
{
    for (uint32_t i = run->n_log; i-- > 0;)
        if (run->log[i].thread == thread && run->log[i].site)
            return run->log[i].site;
    return 0;
}

bool hd_step_in_library(const struct hd_place *place)
{
    static const char folder[] = "heddle/c++/";
    const char *at = strstr(place->file, folder);
    if (!at || (at != place->file && at[-1] != '/'))
        return false;
    const char *name = at + strlen(folder), *end = strrchr(name, '.');
    return !strchr(name, '/') && end && strcmp(end, ".cc") == 0;
}

/* From heddle's part of the C++ library to where the program calls it, if that is known. */
static struct hd_place leave_library(struct hd_place place, const struct hd_run *run,
                                     const struct hd_program *program, uint32_t *stack)
{
    uint32_t sites[HD_MAX_FRAMES], n = hd_run_stack(run, *stack, sites), around = *stack;
    struct hd_place outer = place;
    for (uint32_t i = 0; i < n && hd_step_in_library(&outer); i++) {
        outer = hd_program_site(program, sites[i]);
        around = run->calls[around].around;
    }
    if (!outer.line || hd_step_in_library(&outer))
        return place;
    *stack = around;
    return outer;
}

struct hd_place hd_step_standing(const struct hd_standing *s, const struct hd_run *run,
                                 const struct hd_program *program, uint32_t *stack)
{
    uint32_t around = s->stack;
    struct hd_place place = leave_library(hd_program_site(program, s->site), run, program,
                                          &around);
    if (stack)
        *stack = around;
    return place;
}

struct hd_place hd_step_at(const struct hd_step *s, const struct hd_run *run,
                           const struct hd_program *program, uint32_t *stack)
{
    const struct hd_standing there = { .site = s->site, .stack = s->stack };
    struct hd_place place = hd_step_standing(&there, run, program, stack);
    return hd_step_in_library(&place) ? hd_program_site(program, 0) : place;
}

/* An assertion of C++ names its function with all types, as far as there was room: a step of
 * that line knows the name alone. */
static struct hd_place with_function(struct hd_place place, const struct hd_run *run,
                                     const struct hd_program *program, uint32_t thread)
{
    uint32_t seen = 0;
    for (uint32_t i = run->n_log; i-- > 0 && seen < LAST_STEPS;) {
        struct hd_place at = hd_program_site(program, run->log[i].site);
        seen += run->log[i].thread == thread;
        if (run->log[i].thread == thread && at.line == place.line &&
            strcmp(at.file, place.file) == 0 && *at.function) {
            place.function = at.function;
            break;
        }
    }
    return place;
}

static struct hd_place find_place(const struct hd_run *run, struct hd_program *program,
                                  uint32_t *thread)
{
    const struct hd_finding *finding = &run->finding;
    struct hd_place place = { .file = "", .function = "", .variable = "" };
    const struct hd_standing *stuck = finding->kind == HD_KIND_DEADLOCK ? first_stuck(finding)
                                                                        : NULL;
    *thread = stuck ? stuck->thread : finding->thread;
    if (stuck && stuck->site)
        return hd_program_site(program, stuck->site);
    if (*finding->file) {
        place.file = hd_program_file(program, finding->file);
        place.function = finding->function;
        place.line = finding->line;
        return with_function(place, run, program, *thread);
    }
    if (hd_program_pc(program, finding->pc, &place))
        return place;
    return hd_program_site(program, finding->site ? finding->site : last_site(run, *thread));
}

static uint32_t find_stack(const struct hd_run *run)
{
    const struct hd_finding *finding = &run->finding;
    const struct hd_standing *stuck = finding->kind == HD_KIND_DEADLOCK ? first_stuck(finding)
                                                                        : NULL;
    return stuck ? stuck->stack : finding->stack;
}

struct hd_place hd_step_place(const struct hd_run *run, struct hd_program *program,
                              uint32_t *thread)
{
    uint32_t stack = find_stack(run);
    return leave_library(find_place(run, program, thread), run, program, &stack);
}

uint32_t hd_step_stack(const struct hd_run *run, struct hd_program *program)
{
    uint32_t stack = find_stack(run), thread;
    leave_library(find_place(run, program, &thread), run, program, &stack);
    return stack;
}
