#include "report/github.h"

#include "report/because.h"
#include "report/explain_memory.h"
#include "report/name.h"
#include "report/stale.h"
#include "report/step.h"
#include "report/text.h"

#include <stdlib.h>

/* Properties end at ',' and ':' and must not hold them. */
static void escaped(struct hd_str *out, const char *text, bool property)
{
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '%' || *c == '\r' || *c == '\n' || (property && (*c == ':' || *c == ',')))
            hd_str_appendf(out, "%%%02X", *c);
        else
            hd_str_append_char(out, (char)*c);
}

static void command(struct hd_str *out, const char *level, const struct hd_place *place,
                    const char *title, const char *text)
{
    hd_str_appendf(out, "::%s ", level);
    if (place && place->line) {
        hd_str_append(out, "file=");
        escaped(out, place->file, true);
        hd_str_appendf(out, ",line=%u,", place->line);
        if (place->column)
            hd_str_appendf(out, "col=%u,", place->column);
    }
    hd_str_append(out, "title=");
    escaped(out, title, true);
    hd_str_append(out, "::");
    escaped(out, text, false);
    hd_str_append_char(out, '\n');
}

/* Stale reads, and stronger orders that forbid the run: a line for each. */
static void weak_memory(struct hd_str *words, const struct hd_run *run,
                        const struct hd_program *program)
{
    for (uint32_t i = 0; i < run->n_stale; i++) {
        hd_str_appendf(words, "\nstep %u: ", run->stale[i].step + 1);
        hd_stale_access(words, run->stale[i].step, NULL, run, program);
        hd_str_append_char(words, ' ');
        hd_stale_words(words, &run->stale[i], run, program);
    }
    for (uint32_t i = 0; i < run->n_remedies; i++) {
        hd_str_append_char(words, '\n');
        hd_explain_memory_remedy(words, &run->remedies[i], run, program);
    }
}

static void violation(struct hd_str *out, const struct hd_run *run, const char *trace,
                      struct hd_program *program)
{
    uint32_t thread;
    struct hd_place place = hd_step_place(run, program, &thread);
    struct hd_str words;
    char *title = hd_str_format("heddle: %s", hd_kind_words(run->finding.kind));
    hd_str_init(&words);
    hd_str_append(&words, run->finding.message);
    hd_str_append(&words, "\nin ");
    hd_name_thread(&words, &run->threads, thread);
    if (*place.function)
        hd_str_appendf(&words, ", %s", place.function);
    hd_text_standings(&words, run, program);
    hd_because_lines(&words, run, program);
    weak_memory(&words, run, program);
    if (trace)
        hd_str_appendf(&words, "\ntrace: %s", trace);
    command(out, run->warning ? "warning" : "error", &place, title, words.text);
    hd_str_release(&words);
    free(title);
}

void hd_github_result(struct hd_str *out, const struct hd_report *report)
{
    const struct hd_result *result = report->result;
    for (uint32_t i = 0; i < result->n_runs; i++)
        violation(out, &result->runs[i], report->traces[i], report->file);
    if (report->summary->verdict != HD_NONE_FOUND)
        return;
    struct hd_str words;
    hd_str_init(&words);
    hd_str_append(&words, report->program);
    for (size_t i = 0; i < report->summary->downgrades.n; i++)
        hd_str_appendf(&words, "\n%s", report->summary->downgrades.items[i]);
    command(out, report->require_verified ? "error" : "notice", NULL,
            "heddle: nothing found, not verified", words.text);
    hd_str_release(&words);
}

void hd_github_error(struct hd_str *out, const char *program, const char *message)
{
    char *title = hd_str_format("heddle: %s", program);
    command(out, "error", NULL, title, message);
    free(title);
}
