#include "report/explain_order.h"

#include "base/fs.h"
#include "base/json.h"
#include "report/explain_memory.h"
#include "report/lin_calls.h"
#include "report/name.h"
#include "report/step.h"

/* The noun for an operation in a sentence. */
static const char *words(enum hd_op op)
{
    switch (op) {
    case HD_OP_ATOMIC_READ:
    case HD_OP_FUTEX_READ:
        return "read";
    case HD_OP_ATOMIC_WRITE:
        return "write";
    case HD_OP_RMW:
        return "update";
    case HD_OP_CAS:
    case HD_OP_CAS_FAIL:
        return "compare-exchange";
    case HD_OP_MUTEX_DESTROY:
    case HD_OP_COND_DESTROY:
        return "destruction";
    default:
        return hd_op_table[op].text;
    }
}

/* A step that the run does not reach, at a place where the thread has been. */
static bool once_more(const struct hd_run *run, const struct hd_step *step, uint32_t at)
{
    for (uint32_t i = 0; at == ~0u && i < run->n_log; i++)
        if (run->log[i].thread == step->thread && run->log[i].site == step->site)
            return true;
    return false;
}

/* Is it the step before which its thread stands for ever? */
static bool waits_there(const struct hd_run *run, const struct hd_step *step)
{
    const struct hd_finding *f = &run->finding;
    for (uint32_t i = 0; f->kind == HD_KIND_DEADLOCK && i < f->n_standings; i++)
        if (f->standings[i].thread == step->thread && f->standings[i].site == step->site)
            return true;
    return false;
}

/* A step of the code around calls: "T1's return from put(1)". */
static bool around_call(struct hd_str *out, const struct hd_step *step, uint32_t at,
                        const struct hd_run *run, struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, step->site);
    struct hd_lin_calls calls;
    if (!hd_lin_calls_around(&place))
        return false;
    hd_lin_calls_init(&calls, run, program);
    const struct hd_lin_call *call = at < run->n_log ? hd_lin_calls_of(&calls, at) : NULL;
    hd_name_thread(out, &run->threads, step->thread);
    if (call)
        hd_str_appendf(out, "'s %s %s (step %u)", call->end == at ? "return from" : "call of",
                       call->words, hd_lin_calls_seen(&calls, at) + 1);
    else
        hd_str_append(out, "'s next call");
    hd_lin_calls_release(&calls);
    return true;
}

void hd_explain_order_step(struct hd_str *out, const struct hd_step *step, uint32_t at,
                           const struct hd_run *run, struct hd_program *program)
{
    struct hd_place place = hd_step_at(step, run, program, NULL);
    if (around_call(out, step, at, run, program))
        return;
    hd_name_thread(out, &run->threads, step->thread);
    hd_str_appendf(out, "'s %s%s", once_more(run, step, at) ? "next " : "",
                   words((enum hd_op)step->op));
    if (step->object.where != HD_WHERE_NONE) {
        hd_str_append(out, " of ");
        hd_step_about(out, step, run, program);
    }
    if (place.line)
        hd_str_appendf(out, " at %s:%u", hd_fs_base(place.file), place.line);
    if (at != ~0u)
        hd_str_appendf(out, " (step %u)", at + 1);
    else if (waits_there(run, step))
        hd_str_append(out, ", for which it waits");
}

bool hd_explain_order_wake(struct hd_str *out, const struct hd_run *run,
                           struct hd_program *program)
{
    if (!run->rewake)
        return false;
    hd_explain_order_step(out, &run->log[run->rewake - 1], run->rewake - 1, run, program);
    hd_str_append(out, " had woken ");
    hd_name_thread(out, &run->threads, run->rewoken);
    return true;
}

/* A signal "had come after" a wait that missed it: one thinks of the signal. */
static void ordering(struct hd_str *out, const struct hd_ordering *o, const struct hd_run *run,
                     struct hd_program *program)
{
    bool missed = o->late.op == HD_OP_WAIT &&
                  (o->early.op == HD_OP_SIGNAL || o->early.op == HD_OP_BROADCAST);
    const struct hd_step *first = missed ? &o->early : &o->late;
    const struct hd_step *second = missed ? &o->late : &o->early;
    hd_explain_order_step(out, first, missed ? o->early_at : o->late_at, run, program);
    if (!missed && o->late_at == ~0u && waits_there(run, &o->late))
        hd_str_append_char(out, ',');
    hd_str_appendf(out, "\n     had come %s ", missed ? "after" : "before");
    hd_explain_order_step(out, second, missed ? o->late_at : o->early_at, run, program);
}

void hd_explain_order_text(const struct hd_terminal *text, const struct hd_run *run,
                           struct hd_program *program)
{
    struct hd_str line;
    bool wake = run->rewake;
    if (run->n_orderings == 0 && run->n_remedies == 0 && !wake)
        return;
    hd_str_init(&line);
    hd_explain_memory_text(&line, run, program);
    if (run->n_remedies && run->n_orderings == 0)
        hd_str_append_char(&line, '\n');
    uint32_t n = wake && !text->whole ? 0 : run->joint || text->whole ? run->n_orderings : 1;
    n = n < run->n_orderings ? n : run->n_orderings;
    if (wake) {
        hd_str_append(&line, "  if ");
        hd_explain_order_wake(&line, run, program);
        hd_str_append(&line, n ? "\n" : ",\n     the run would pass");
    }
    for (uint32_t i = 0; i < n; i++) {
        hd_str_append(&line, i == 0 && !wake        ? "  if "
                             : run->joint && i != 0 ? "  and "
                                                    : "  or if ");
        ordering(&line, &run->orderings[i], run, program);
        hd_str_append(&line, i + 1 == n ? ",\n     the run would pass" : "\n");
    }
    if (n < run->n_orderings)
        hd_str_appendf(&line, " (-v: %u other order%s that would do)", run->n_orderings - n,
                       run->n_orderings - n == 1 ? "" : "s");
    if (n || wake)
        hd_str_append(&line, "\n\n");
    fprintf(text->out, "%swhat decides%s\n", hd_terminal_bold(text), hd_terminal_plain(text));
    hd_terminal_print(text, line.text);
    hd_str_release(&line);
}

static void json_step(struct hd_str *out, const struct hd_step *step, uint32_t at,
                      uint32_t beyond, const struct hd_run *run, struct hd_program *program)
{
    struct hd_place place = hd_step_at(step, run, program, NULL);
    struct hd_str words;
    hd_str_init(&words);
    hd_name_thread(&words, &run->threads, step->thread);
    hd_str_append(out, "{\"thread\": ");
    hd_json_string(out, words.text);
    hd_str_append(out, ", \"step\": ");
    if (at == ~0u)
        hd_str_appendf(out, "null, \"beyond\": %u", beyond);
    else
        hd_str_appendf(out, "%u", at + 1);
    hd_str_clear(&words);
    hd_step_about(&words, step, run, program);
    hd_str_appendf(out, ", \"op\": \"%s\", \"object\": ", hd_op_table[step->op].text);
    hd_json_string(out, words.text);
    hd_str_append(out, ", \"file\": ");
    hd_json_string(out, place.file);
    hd_str_appendf(out, ", \"line\": %u, \"site\": %u}", place.line, step->site);
    hd_str_release(&words);
}

void hd_explain_order_json(struct hd_str *out, const struct hd_run *run,
                           struct hd_program *program)
{
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < run->n_orderings; i++) {
        const struct hd_ordering *o = &run->orderings[i];
        hd_str_append(out, i ? ",\n       {\"early\": " : "\n       {\"early\": ");
        json_step(out, &o->early, o->early_at, 0, run, program);
        hd_str_append(out, ",\n        \"late\": ");
        json_step(out, &o->late, o->late_at, o->beyond, run, program);
        hd_str_append_char(out, '}');
    }
    hd_str_append_char(out, ']');
}
