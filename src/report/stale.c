#include "report/stale.h"

#include "base/fs.h"
#include "base/json.h"
#include "core/enabled.h"
#include "report/name.h"
#include "report/step.h"

#include <string.h>

const char *hd_stale_order(const struct hd_step *step, uint32_t bits)
{
    uint32_t order = step->action.order | bits;
    if (step->op == HD_OP_CAS_FAIL)
        order = hd_order_of_failure(order);
    if (order & HD_ORDER_SEQ_CST)
        return "seq_cst";
    if (order & HD_ORDER_ACQUIRE)
        return order & HD_ORDER_RELEASE ? "acq_rel" : "acquire";
    return order & HD_ORDER_RELEASE ? "release" : "relaxed";
}

static const char *noun(enum hd_op op)
{
    switch (op) {
    case HD_OP_ATOMIC_READ:
        return "load";
    case HD_OP_FUTEX_READ:
        return "load of the futex wait";
    case HD_OP_ATOMIC_WRITE:
        return "store";
    case HD_OP_RMW:
        return "read-modify-write";
    case HD_OP_CAS:
    case HD_OP_CAS_FAIL:
        return "compare-exchange";
    default:
        return hd_op_table[op].text;
    }
}

static void append_place(struct hd_str *out, const struct hd_place *place, const char *file)
{
    if (!place->line)
        return;
    bool here = file && strcmp(file, place->file) == 0;
    hd_str_appendf(out, " at %s:%u", here ? "" : hd_fs_base(place->file), place->line);
}

void hd_stale_access(struct hd_str *out, uint32_t step, const char *file,
                     const struct hd_run *run, const struct hd_program *program)
{
    const struct hd_step *s = &run->log[step];
    struct hd_place place = hd_program_site(program, s->site);
    hd_str_appendf(out, "the %s", noun((enum hd_op)s->op));
    if (s->object.where != HD_WHERE_NONE) {
        hd_str_append(out, " of ");
        hd_step_about(out, s, run, program);
    }
    append_place(out, &place, file);
}

void hd_stale_store(struct hd_str *out, uint32_t step, const struct hd_run *run,
                    const struct hd_program *program)
{
    const struct hd_step *s = &run->log[step];
    hd_name_thread(out, &run->threads, s->thread);
    hd_str_append(out, "'s ");
    hd_step_about(out, s, run, program);
    if (s->flags & HD_STEP_HAS_WRITTEN) {
        hd_str_append(out, " = ");
        hd_value_written(out, s, run, program);
    }
}

/* "is relaxed", or what it does not do although it has an order. */
static const char *fault_of(const struct hd_stronger *item, const struct hd_run *run)
{
    const struct hd_action *a = &run->log[item->step].action;
    bool relaxed = !(a->order & (HD_ORDER_ACQUIRE | HD_ORDER_RELEASE));
    if (a->op == HD_OP_CAS_FAIL)
        return "does not acquire when it fails";
    if (item->order & HD_ORDER_RELEASE)
        return relaxed ? "is relaxed" : "does not release";
    return relaxed ? "is relaxed" : "does not acquire";
}

static void append_reason(struct hd_str *out, const struct hd_remedy *why, const char *file,
                          const struct hd_run *run, const struct hd_program *program)
{
    bool same = true;
    for (uint32_t i = 1; i < why->n; i++)
        same = same && strcmp(fault_of(&why->items[i], run), fault_of(&why->items[0], run)) == 0;
    same = same && why->n == 2 && strcmp(fault_of(&why->items[0], run), "is relaxed") == 0;
    for (uint32_t i = 0; i < why->n; i++) {
        hd_str_append(out, i ? " and " : "");
        hd_stale_access(out, why->items[i].step, file, run, program);
        if (!same)
            hd_str_appendf(out, " %s", fault_of(&why->items[i], run));
    }
    hd_str_append(out, same ? " are relaxed" : "");
}

static const char *unexplained(const struct hd_stale *stale, const struct hd_run *run)
{
    if (run->memory == HD_MEMORY_TSO)
        return stale->store ? "it left its store buffer first"
                            : "it may still be in the store buffer of its thread";
    return hd_memory_is_rc11(run->memory)
               ? "nothing orders them"
               : "the steps are not in the order in which they took effect";
}

void hd_stale_words(struct hd_str *out, const struct hd_stale *stale, const struct hd_run *run,
                    const struct hd_program *program)
{
    const char *file = hd_program_site(program, run->log[stale->step].site).file;
    if (!stale->store) {
        hd_str_append(out, "reads ");
        if (stale->source) {
            hd_stale_store(out, stale->source - 1, run, program);
            hd_str_appendf(out, " of step %u", stale->source);
        } else
            hd_str_append(out, "the initial value");
    }
    if (!stale->newer)
        return;
    hd_str_append(out, stale->store ? "is overwritten by " : "; ");
    hd_stale_store(out, stale->newer - 1, run, program);
    hd_str_appendf(out,
                   stale->store ? " of step %u, which is later in the modification order: "
                                : " (step %u) need not be visible: ",
                   stale->newer);
    if (stale->why.n)
        append_reason(out, &stale->why, file, run, program);
    else
        hd_str_append(out, unexplained(stale, run));
}

static void json_place(struct hd_str *out, uint32_t step, const struct hd_run *run,
                       const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, run->log[step].site);
    hd_str_append(out, "{\"file\": ");
    hd_json_string(out, place.file);
    hd_str_appendf(out, ", \"line\": %u, \"function\": ", place.line);
    hd_json_string(out, place.function);
    hd_str_append_char(out, '}');
}

static void json_one(struct hd_str *out, const struct hd_stale *stale, const struct hd_run *run,
                     const struct hd_program *program)
{
    const struct hd_step *s = &run->log[stale->step];
    struct hd_str text;
    hd_str_init(&text);
    hd_name_thread(&text, &run->threads, s->thread);
    hd_str_appendf(out, "{\"step\": %u, \"access\": \"%s\", \"thread\": ", stale->step + 1,
                   noun((enum hd_op)s->op));
    hd_json_string(out, text.text);
    hd_str_append(out, ", \"location\": ");
    json_place(out, stale->step, run, program);
    hd_str_clear(&text);
    hd_step_about(&text, s, run, program);
    hd_str_append(out, ", \"variable\": ");
    hd_json_string(out, text.text);
    if (!stale->store && stale->source)
        hd_str_appendf(out, ", \"reads_from\": %u", stale->source);
    else if (!stale->store)
        hd_str_append(out, ", \"reads_from\": null");
    if (stale->newer)
        hd_str_appendf(out, ", \"newer\": %u", stale->newer);
    hd_str_clear(&text);
    hd_stale_words(&text, stale, run, program);
    hd_str_append(out, ", \"message\": ");
    hd_json_string(out, text.text);
    hd_str_append_char(out, '}');
    hd_str_release(&text);
}

void hd_stale_json(struct hd_str *out, const struct hd_run *run, const struct hd_program *program)
{
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < run->n_stale; i++) {
        hd_str_append(out, i ? ",\n       " : "\n       ");
        json_one(out, &run->stale[i], run, program);
    }
    hd_str_append_char(out, ']');
}
