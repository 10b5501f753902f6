#include "report/name.h"
#include "report/trace.h"
#include "report/trace_options.h"

#include <stdlib.h>
#include <string.h>

void hd_trace_head_init(struct hd_trace_head *head)
{
    *head = (struct hd_trace_head){ 0 };
    hd_strs_init(&head->sources);
    hd_strs_init(&head->cc_flags);
    hd_strs_init(&head->args);
    hd_strs_init(&head->invariants);
    hd_strs_init(&head->targets);
    hd_strs_init(&head->rules);
}

void hd_trace_head_release(struct hd_trace_head *head)
{
    hd_strs_release(&head->sources);
    hd_strs_release(&head->cc_flags);
    hd_strs_release(&head->args);
    hd_strs_release(&head->invariants);
    hd_strs_release(&head->targets);
    hd_strs_release(&head->rules);
    free(head->program);
    free(head->build);
    free(head->strategy);
    free(head->checker);
}

void hd_trace_quote(struct hd_str *out, const char *text)
{
    bool plain = *text != 0 && *text != '#';
    for (const char *c = text; *c; c++)
        plain = plain && *c > ' ' && *c != '"' && *c != '\\' && *c != 127;
    if (plain) {
        hd_str_append(out, text);
        return;
    }
    hd_str_append_char(out, '"');
    for (const char *c = text; *c; c++) {
        unsigned char byte = (unsigned char)*c;
        if (byte == '"' || byte == '\\')
            hd_str_appendf(out, "\\%c", byte);
        else if (byte == '\n')
            hd_str_append(out, "\\n");
        else if (byte < ' ' || byte == 127)
            hd_str_appendf(out, "\\x%02x", byte);
        else
            hd_str_append_char(out, *c);
    }
    hd_str_append_char(out, '"');
}

static void line(struct hd_str *out, const char *word, const char *text)
{
    if (!text)
        return;
    hd_str_appendf(out, "%s ", word);
    hd_trace_quote(out, text);
    hd_str_append_char(out, '\n');
}

static void lines(struct hd_str *out, const char *word, const struct hd_strs *texts)
{
    for (size_t i = 0; i < texts->n; i++)
        line(out, word, texts->items[i]);
}

static void write_program(struct hd_str *out, const struct hd_trace_head *head)
{
    lines(out, "source", &head->sources);
    lines(out, "cc-flag", &head->cc_flags);
    line(out, "program", head->program);
    lines(out, "arg", &head->args);
    line(out, "build", head->build);
}

static void write_search(struct hd_str *out, const struct hd_trace_head *head,
                         const struct hd_run *run)
{
    line(out, "strategy", head->strategy);
    if (run->found && run->finding.kind == HD_KIND_OBJECTION)
        line(out, "checker", head->checker);
    lines(out, "invariant", &head->invariants);
    lines(out, "target", &head->targets);
}

static void write_head(struct hd_str *out, const struct hd_trace_head *head,
                       const struct hd_run *run)
{
    hd_str_appendf(out, "heddle-trace %d\n", HD_TRACE_VERSION);
    write_program(out, head);
    write_search(out, head, run);
    if (head->seed)
        hd_str_appendf(out, "seed %llu\n", (unsigned long long)head->seed);
    if (head->expect_exit)
        hd_str_appendf(out, "expect-exit %d\n", head->expect_exit);
    if (head->memory)
        hd_str_appendf(out, "memory %s\n", hd_memory_name((enum hd_memory)head->memory));
    if (head->no_timeouts)
        hd_str_append(out, "no-timeouts 1\n");
    if (head->spurious)
        hd_str_appendf(out, "spurious %u\n", head->spurious);
    if (head->polls)
        hd_str_appendf(out, "polls %u\n", head->polls);
    hd_str_append(out, head->leaks ? "leaks 1\n" : "");
    hd_str_append(out, head->files_off ? "files-off 1\n" : "");
    hd_str_append(out, head->volatile_ok ? "volatile-ok 1\n" : "");
    lines(out, "rule", &head->rules);
    hd_trace_options_write(out, head);
    if (run->found) {
        hd_str_appendf(out, "violation %s ", hd_kind_text(run->finding.kind));
        hd_trace_quote(out, run->finding.message);
        hd_str_append_char(out, '\n');
    }
    hd_str_append(out, "threads");
    for (uint32_t i = 0; i < run->threads.n; i++) {
        hd_str_append_char(out, ' ');
        hd_name_thread(out, &run->threads, i);
    }
    if (run->found && run->finding.kind == HD_KIND_DATA_RACE) {
        hd_str_append(out, "\nrace");
        for (int i = 0; i < 2; i++) {
            hd_str_append_char(out, ' ');
            hd_name_thread(out, &run->threads, run->finding.standings[i].thread);
        }
        if (run->finding.race_step)
            hd_str_appendf(out, " %u", run->finding.race_step);
    }
    if (run->found && run->finding.partial) {
        hd_str_append(out, "\nstuck ");
        hd_name_thread(out, &run->threads, run->finding.standings[0].thread);
    }
    if (run->found && run->finding.kind == HD_KIND_LIVELOCK)
        hd_str_appendf(out, "\ncycle %u", run->finding.cycle);
    hd_str_appendf(out, "\nsteps %s\n", run->scheduled_only ? "scheduled" : "all");
}

/* Only names that can be read back: threads in them must be in the table. */
static void write_object(struct hd_str *out, const struct hd_name *name, const struct hd_run *run,
                         const struct hd_program *program)
{
    hd_str_append_char(out, ' ');
    hd_name_object(out, name, program, &run->threads);
}

static bool has_object(const struct hd_name *name, const struct hd_run *run, enum hd_space space)
{
    bool of_thread = name->where == HD_WHERE_HEAP || name->where == HD_WHERE_STACK ||
                     name->where == HD_WHERE_TLS || name->where == HD_WHERE_THREAD;
    return name->where != HD_WHERE_NONE &&
           (space == HD_SPACE_THREAD) == (name->where == HD_WHERE_THREAD) &&
           (!of_thread || name->thread < run->threads.n);
}

static void write_place(struct hd_str *out, const struct hd_step *s,
                        const struct hd_program *program)
{
    struct hd_place place = { .file = "", .function = "" };
    if (program)
        place = hd_program_site(program, s->site);
    hd_str_appendf(out, " site=%u", s->site);
    if (place.line) {
        char *at = hd_str_format("at=%s:%u:%u", place.file, place.line, place.column);
        hd_str_append_char(out, ' ');
        hd_trace_quote(out, at);
        free(at);
    }
    if (*place.function) {
        char *in = hd_str_format("in=%s", place.function);
        hd_str_append_char(out, ' ');
        hd_trace_quote(out, in);
        free(in);
    }
}

/* For people: readers skip it. */
static void write_comment(struct hd_str *out, const struct hd_step *s, const struct hd_run *run)
{
    const struct hd_stale *stale = hd_run_stale(run, s);
    const char *before = " # ";
    if (s->flags & HD_STEP_PREEMPTION) {
        hd_str_appendf(out, "%spreemption", before);
        before = ", ";
    }
    if (stale && stale->store && stale->newer)
        hd_str_appendf(out, "%soverwritten by step %u", before, stale->newer);
    else if (stale && stale->source)
        hd_str_appendf(out, "%sreads step %u", before, stale->source);
    else if (stale && !stale->store)
        hd_str_appendf(out, "%sreads the initial value", before);
    if (stale && !stale->store && stale->newer)
        hd_str_appendf(out, ", step %u is newer", stale->newer);
    hd_str_append_char(out, '\n');
}

static void write_step(struct hd_str *out, uint32_t number, const struct hd_step *s,
                       const struct hd_run *run, const struct hd_program *program)
{
    hd_str_appendf(out, "%u ", number);
    hd_name_thread(out, &run->threads, s->thread);
    if (s->op != HD_OP_NONE) {
        enum hd_space space = hd_op_table[s->op].space;
        hd_str_appendf(out, " %s", hd_op_table[s->op].text);
        if (has_object(&s->object, run, space)) {
            write_object(out, &s->object, run, program);
            if (has_object(&s->object2, run, HD_SPACE_MEM))
                write_object(out, &s->object2, run, program);
        }
    }
    if (s->choice)
        hd_str_appendf(out, " choice=%u", s->choice);
    if (s->size)
        hd_str_appendf(out, " size=%u", s->size);
    if (s->flags & HD_STEP_HAS_READ) {
        hd_str_append(out, " read=");
        hd_name_value(out, s->value_read, s->size);
    }
    if (s->flags & HD_STEP_HAS_WRITTEN) {
        hd_str_append(out, " wrote=");
        hd_name_value(out, s->value_written, s->size);
    }
    if (s->site)
        write_place(out, s, program);
    write_comment(out, s, run);
}

void hd_trace_write(struct hd_str *out, const struct hd_trace_head *head,
                    const struct hd_run *run, const struct hd_program *program)
{
    write_head(out, head, run);
    for (uint32_t i = 0; i < run->n_log; i++)
        write_step(out, i + 1, &run->log[i], run, program);
    hd_str_appendf(out, "end %u\n", run->n_log);
}
