/* Where a thread of a deadlock, a livelock or a data race stands, and what it waits for. */
#include "report/held.h"
#include "report/name.h"
#include "report/step.h"
#include "report/text.h"
#include "report/wake.h"
#include "report/written.h"

#include <string.h>

static void waits_for(struct hd_str *line, enum hd_op op)
{
    if (op == HD_OP_BLOCKED)
        hd_str_append(line, " for a signal of");
    else if (op == HD_OP_AWAIT)
        hd_str_append(line, " for a write of");
    else if (op == HD_OP_SIGNAL_TAKE)
        hd_str_append(line, " for somebody to send it a signal");
    else if (op == HD_OP_LEAVE)
        hd_str_append(line, " for the others at barrier");
    else if (op == HD_OP_SEM_WAIT || op == HD_OP_SEM_TIMEDWAIT)
        hd_str_append(line, " for a post of semaphore");
    else
        hd_str_appendf(line, " to %s", hd_op_table[op].text);
}

/* " as f->lock": what the owner calls the lock, if the waiting thread calls it otherwise. */
static void other_name(struct hd_str *line, const struct hd_standing *s,
                       const struct hd_program *program)
{
    struct hd_place here = hd_program_site(program, s->site);
    struct hd_place there = hd_program_site(program, s->owner_site);
    if (s->object.where != HD_WHERE_HEAP || s->owner == ~0u || !*here.variable ||
        !*there.variable || strcmp(here.variable, there.variable) == 0)
        return;
    hd_str_appendf(line, " as %s", there.variable);
}

static bool has_ended(const struct hd_run *run, uint32_t thread)
{
    for (uint32_t i = run->n_log; i-- > 0;)
        if (run->log[i].thread == thread)
            return run->log[i].op == HD_OP_EXIT;
    return false;
}

/* "; the broadcast of main at a.c:9 (step 7) found nobody waiting" */
static void last_signal(struct hd_str *line, const struct hd_standing *s,
                        const struct hd_run *run, struct hd_program *program)
{
    struct hd_wake wake = hd_wake_last(run, s);
    if (wake.fate == HD_WAKE_NONE)
        return;
    if (wake.fate == HD_WAKE_ANOTHER && wake.n > 1) {
        hd_str_appendf(line, "; each of the %u signals since then woke another thread", wake.n);
        return;
    }
    const struct hd_step *step = &run->log[wake.step];
    struct hd_place place = hd_step_at(step, run, program, NULL);
    hd_str_appendf(line, "; the %s of ", hd_op_table[step->op].text);
    hd_name_thread(line, &run->threads, step->thread);
    if (place.line) {
        hd_str_append(line, " at ");
        hd_step_where(line, &place);
    }
    hd_str_appendf(line, " (step %u) ", wake.step + 1);
    if (wake.fate == HD_WAKE_ANOTHER) {
        hd_str_append(line, "woke ");
        hd_name_thread(line, &run->threads, step->woken - 1);
        return;
    }
    hd_str_append(line, wake.fate == HD_WAKE_UNHEARD ? "found nobody waiting"
                        : wake.fate == HD_WAKE_EARLY ? "came before it waited"
                                                     : "woke it, and it waited again");
}

/* The last step of a thread that waits in a loop, + 1, if it has read what the thread waits for
 * and nobody has written that since; 0: not known. */
static uint32_t last_look(const struct hd_standing *s, const struct hd_run *run)
{
    uint32_t look = run->n_log;
    while (look > 0 && run->log[look - 1].thread != s->thread)
        look--;
    if (s->op != HD_OP_AWAIT || !look || !hd_written_is_read(run, look - 1) ||
        !hd_wake_same_object(&run->log[look - 1].object, &s->object))
        return 0;
    for (uint32_t i = look; i < run->n_log; i++)
        if (hd_written_unseen(run, i) || (hd_op_table[run->log[i].op].access != HD_ACCESS_READ &&
                                          hd_written_reads(run, look - 1, i)))
            return 0;
    return look;
}

/* ", which is 0": what the thread has seen, and what keeps it there. */
static void seen_value(struct hd_str *line, const struct hd_standing *s, const struct hd_run *run,
                       const struct hd_program *program)
{
    uint32_t look = last_look(s, run);
    if (!look)
        return;
    hd_str_append(line, ", which is ");
    hd_value_read(line, &run->log[look - 1], run, program);
}

/* ", with inner released and outer still held": the locks of a thread that awaits a signal. */
static void locks(struct hd_str *line, const struct hd_standing *s, const struct hd_run *run,
                  struct hd_program *program)
{
    uint32_t steps[HD_MOST_HELD], wait = hd_held_wait(run, s);
    uint32_t n = wait ? hd_held_find(run, s->thread, steps) : 0;
    if (!wait)
        return;
    hd_str_append(line, ", with ");
    hd_step_mutex(line, &run->log[wait - 1], run, program);
    hd_str_append(line, " released");
    for (uint32_t i = 0; i < n; i++) {
        hd_str_append(line, i + 1 == n ? " and " : ", ");
        hd_step_about(line, &run->log[steps[i]], run, program);
    }
    hd_str_append(line, n ? " still held" : "");
}

void hd_text_standing(struct hd_str *line, const struct hd_standing *s, const struct hd_run *run,
                      struct hd_program *program)
{
    struct hd_place at = hd_step_standing(s, run, program, NULL);
    struct hd_place taken = hd_program_site(program, s->owner_site);
    hd_name_thread(line, &run->threads, s->thread);
    hd_str_append(line, hd_step_is_past(run, s) ? " stood" : s->enabled ? " stands" : " waits");
    if (at.line) {
        hd_str_append(line, " at ");
        hd_step_where(line, &at);
    }
    if (*at.function)
        hd_str_appendf(line, " (%s)", at.function);
    waits_for(line, (enum hd_op)s->op);
    if (s->object.where != HD_WHERE_NONE) {
        hd_str_append_char(line, ' ');
        struct hd_step next = { .op = s->op, .site = s->site, .object = s->object };
        hd_step_about(line, &next, run, program);
    }
    seen_value(line, s, run, program);
    locks(line, s, run, program);
    if (s->owner != ~0u && s->op != HD_OP_JOIN) {
        hd_str_append(line, ", which ");
        hd_name_thread(line, &run->threads, s->owner);
        hd_str_append(line, s->owner == s->thread      ? " itself holds"
                            : has_ended(run, s->owner) ? " held when it ended,"
                                                       : " holds");
        if (taken.line) {
            hd_str_append(line, " since ");
            hd_step_where(line, &taken);
        }
        other_name(line, s, program);
    }
    last_signal(line, s, run, program);
}
