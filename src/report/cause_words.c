/* The causes of report/cause.h in words, as text and as JSON. */
#include "base/fs.h"
#include "base/json.h"
#include "report/cause.h"
#include "report/name.h"
#include "report/step.h"

#include <string.h>

/* " at q.c:9 (step 31)" */
static void place_words(struct hd_str *out, uint32_t at, const struct hd_run *run,
                        struct hd_program *program)
{
    struct hd_place place = hd_program_site(program, run->log[at].site);
    if (place.line)
        hd_str_appendf(out, " at %s:%u", hd_fs_base(place.file), place.line);
    hd_str_appendf(out, " (step %u)", at + 1);
}

/* "T2 read buf[0] = 10 at q.c:9 (step 31)" */
static void access_words(struct hd_str *out, uint32_t at, const char *verb,
                         const struct hd_run *run, struct hd_program *program)
{
    const struct hd_step *s = &run->log[at];
    bool write = strcmp(verb, "wrote") == 0;
    hd_name_thread(out, &run->threads, s->thread);
    hd_str_appendf(out, " %s ", verb);
    hd_step_about(out, s, run, program);
    hd_str_append(out, " = ");
    (write ? hd_value_written : hd_value_read)(out, s, run, program);
    place_words(out, at, run, program);
}

/* "T1 wrote it as part of 40 bytes at q.c:9 (step 3)" */
static void range_words(struct hd_str *out, const struct hd_written *from,
                        const struct hd_run *run, struct hd_program *program)
{
    hd_name_thread(out, &run->threads, run->log[from->step - 1].thread);
    if (from->how == HD_WRITTEN_CALL)
        hd_str_append(out, " called a function that may write it,");
    else if (from->how == HD_WRITTEN_RANGE)
        hd_str_appendf(out, " wrote it as part of %u bytes", from->bytes);
    else
        hd_str_appendf(out, " wrote %u byte%s of it", from->bytes, from->bytes == 1 ? "" : "s");
    place_words(out, from->step - 1, run, program);
}

static void lost_words(struct hd_str *out, const struct hd_cause *c, const struct hd_run *run,
                       struct hd_program *program)
{
    const struct hd_step *lost = &run->log[c->lost - 1];
    const struct hd_step *w = &run->log[c->write - 1];
    hd_str_append(out, " over the ");
    hd_value_written(out, lost, run, program);
    hd_str_append(out, " of ");
    hd_name_thread(out, &run->threads, lost->thread);
    hd_str_appendf(out, " (step %u), which ", c->lost);
    if (!c->base) {
        hd_str_append(out, "nobody had read");
        return;
    }
    hd_name_thread(out, &run->threads, w->thread);
    hd_str_append(out, " had not seen: it had read ");
    hd_value_read(out, &run->log[c->base - 1], run, program);
    hd_str_appendf(out, " before (step %u)", c->base);
}

/* "; T1 wrote x = 0 at q.c:9 (step 5) before main went on to q.c:12 (step 7)" */
static void changed_words(struct hd_str *out, const struct hd_cause *c, const struct hd_run *run,
                          struct hd_program *program)
{
    uint32_t thread;
    bool fails = c->use > run->n_log;
    struct hd_place place = fails ? hd_step_place(run, program, &thread)
                                  : hd_program_site(program, run->log[c->use - 1].site);
    hd_str_append(out, "; ");
    access_words(out, c->changed - 1, "wrote", run, program);
    hd_str_append(out, " before ");
    hd_name_thread(out, &run->threads, run->log[c->read - 1].thread);
    hd_str_append(out, c->kind == HD_CAUSE_GUARD ? " went on" : " used it");
    if (place.line)
        hd_str_appendf(out, " %s %s:%u", c->kind == HD_CAUSE_GUARD ? "to" : "at",
                       hd_fs_base(place.file), place.line);
    if (!fails)
        hd_str_appendf(out, " (step %u)", c->use);
}

void hd_cause_words(struct hd_str *out, const struct hd_cause *c, const struct hd_run *run,
                    struct hd_program *program)
{
    access_words(out, c->read - 1, c->kind == HD_CAUSE_GUARD ? "checked" : "read", run, program);
    if (c->changed && c->kind != HD_CAUSE_VALUE) {
        changed_words(out, c, run, program);
        return;
    }
    hd_str_append(out, ": ");
    switch (c->from.how) {
    case HD_WRITTEN_NEVER:
        hd_str_append(out, c->later ? "nobody had written it yet; then "
                                    : "nobody had written it in this run");
        if (c->later)
            access_words(out, c->later - 1, "wrote", run, program);
        break;
    case HD_WRITTEN_STALE:
        hd_str_append(out, "the initial value, although it has been written since");
        break;
    case HD_WRITTEN_VALUE:
        access_words(out, c->write - 1, "wrote", run, program);
        if (c->lost)
            lost_words(out, c, run, program);
        else if (c->changed)
            changed_words(out, c, run, program);
        if (c->later) {
            hd_str_append(out, "; then ");
            access_words(out, c->later - 1, "wrote", run, program);
        }
        break;
    default:
        range_words(out, &c->from, run, program);
    }
}

void hd_causes_json(struct hd_str *out, const struct hd_run *run, struct hd_program *program)
{
    struct hd_causes causes;
    struct hd_str words;
    hd_causes_find(&causes, run, program);
    if (causes.n == 0)
        return;
    hd_str_init(&words);
    hd_str_append(out, ",\n     \"why\": [");
    for (uint32_t i = 0; i < causes.n; i++) {
        hd_str_clear(&words);
        hd_cause_words(&words, &causes.items[i], run, program);
        hd_str_append(out, i ? ",\n       " : "\n       ");
        hd_json_string(out, words.text);
    }
    hd_str_append_char(out, ']');
    hd_str_release(&words);
}

void hd_causes_text(const struct hd_terminal *text, const struct hd_run *run,
                    struct hd_program *program)
{
    struct hd_causes causes;
    struct hd_str words;
    hd_causes_find(&causes, run, program);
    if (causes.n == 0)
        return;
    hd_str_init(&words);
    struct hd_terminal wrapped = *text;
    wrapped.known = true;
    fprintf(text->out, "%swhy%s\n", hd_terminal_bold(text), hd_terminal_plain(text));
    for (uint32_t i = 0; i < (text->whole ? causes.n : hd_causes_told(&causes)); i++) {
        hd_str_clear(&words);
        hd_str_append(&words, "  ");
        hd_cause_words(&words, &causes.items[i], run, program);
        hd_terminal_print(&wrapped, words.text);
    }
    fputc('\n', text->out);
    hd_str_release(&words);
}
