#include "report/explain_memory.h"

#include "base/fs.h"
#include "base/json.h"
#include "core/op.h"
#include "report/stale.h"

static const struct hd_step *step_of(const struct hd_stronger *item, const struct hd_run *run)
{
    return &run->log[item->step];
}

static void append_line(struct hd_str *out, uint32_t step, const struct hd_run *run,
                        const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, run->log[step].site);
    if (place.line)
        hd_str_appendf(out, "%s:%u", hd_fs_base(place.file), place.line);
    else
        hd_str_appendf(out, "step %u", step + 1);
}

/* "the store of ready at a.c:9 were release, not relaxed" */
static void append_item(struct hd_str *out, const struct hd_stronger *item,
                        const struct hd_run *run, const struct hd_program *program)
{
    if (item->after) {
        hd_str_append(out, "there were a seq_cst fence between ");
        append_line(out, item->after - 1, run, program);
        hd_str_append(out, " and ");
        append_line(out, item->step, run, program);
        return;
    }
    const struct hd_step *step = step_of(item, run);
    hd_stale_access(out, item->step, NULL, run, program);
    hd_str_appendf(out, " were %s%s, not %s", hd_stale_order(step, item->order),
                   step->op == HD_OP_CAS_FAIL ? " when it fails" : "", hd_stale_order(step, 0));
}

static bool is_race(const struct hd_run *run) { return run->finding.kind == HD_KIND_DATA_RACE; }

void hd_explain_memory_text(struct hd_str *out, const struct hd_run *run,
                            const struct hd_program *program)
{
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        const struct hd_remedy *r = &run->remedies[i];
        for (uint32_t k = 0; k < r->n; k++) {
            hd_str_append(out, k ? ",\n     and " : i ? "  or if " : "  if ");
            append_item(out, &r->items[k], run, program);
        }
        if (i + 1 == run->n_remedies)
            hd_str_append(out, is_race(run) ? ",\n     there would be no such race\n"
                                            : ",\n     this run could not happen\n");
        else
            hd_str_append_char(out, '\n');
    }
}

void hd_explain_memory_remedy(struct hd_str *out, const struct hd_remedy *remedy,
                              const struct hd_run *run, const struct hd_program *program)
{
    for (uint32_t i = 0; i < remedy->n; i++) {
        hd_str_append(out, i ? ", and " : "If ");
        append_item(out, &remedy->items[i], run, program);
    }
    hd_str_append(out, is_race(run) ? ", there would be no such race."
                                    : ", this run could not happen.");
}

static void json_location(struct hd_str *out, const char *name, uint32_t step,
                          const struct hd_run *run, const struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, run->log[step].site);
    hd_str_appendf(out, "\"%s\": {\"file\": ", name);
    hd_json_string(out, place.file);
    hd_str_appendf(out, ", \"line\": %u, \"function\": ", place.line);
    hd_json_string(out, place.function);
    hd_str_append_char(out, '}');
}

static void json_item(struct hd_str *out, const struct hd_stronger *item,
                      const struct hd_run *run, const struct hd_program *program)
{
    struct hd_str text;
    hd_str_init(&text);
    append_item(&text, item, run, program);
    hd_str_append(out, "{\"change\": ");
    hd_json_string(out, text.text);
    hd_str_append(out, ", ");
    if (item->after) {
        json_location(out, "after", item->after - 1, run, program);
        hd_str_append(out, ", ");
        json_location(out, "before", item->step, run, program);
        hd_str_append(out, ", \"new_order\": \"seq_cst\"}");
    } else {
        json_location(out, "location", item->step, run, program);
        const struct hd_step *step = step_of(item, run);
        hd_str_appendf(out, ", \"order\": \"%s\", \"new_order\": \"%s\"%s}",
                       hd_stale_order(step, 0), hd_stale_order(step, item->order),
                       step->op == HD_OP_CAS_FAIL ? ", \"on_failure\": true" : "");
    }
    hd_str_release(&text);
}

void hd_explain_memory_json(struct hd_str *out, const struct hd_run *run,
                            const struct hd_program *program)
{
    hd_str_append_char(out, '[');
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        hd_str_append(out, i ? ",\n       [" : "\n       [");
        for (uint32_t k = 0; k < run->remedies[i].n; k++) {
            hd_str_append(out, k ? ",\n        " : "");
            json_item(out, &run->remedies[i].items[k], run, program);
        }
        hd_str_append_char(out, ']');
    }
    hd_str_append_char(out, ']');
}
