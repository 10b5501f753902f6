#include "report/cause.h"

#include "base/fs.h"
#include "base/json.h"
#include "report/name.h"
#include "report/step.h"
#include "supervise/explain_order.h"

#include <string.h>

#define LONGEST 20000  /* longer runs are not searched */
#define MOST_MET 32    /* reads of the slice */
#define SHOWN 4        /* causes that are shown without -v */
#define MOST_FIRST 3   /* reads at the place that fails */
#define MOST_SOURCES 3 /* reads that a write may depend on */
#define WINDOW 40      /* steps of a thread in which they are looked for */

static bool accesses(const struct hd_step *s)
{
    return hd_op_table[s->op].space == HD_SPACE_MEM && s->object.where != HD_WHERE_NONE;
}

static bool reads(const struct hd_step *s) { return accesses(s) && s->flags & HD_STEP_HAS_READ; }

static bool writes(const struct hd_step *s)
{
    return accesses(s) && s->flags & HD_STEP_HAS_WRITTEN &&
           hd_op_table[s->op].access != HD_ACCESS_READ;
}

/* The last write before step `at` of what that step accesses, + 1. */
static uint32_t writer_before(const struct hd_run *run, uint32_t at)
{
    for (uint32_t i = at; i-- > 0;)
        if (writes(&run->log[i]) && hd_explain_order_conflict(&run->log[i], &run->log[at]))
            return i + 1;
    return 0;
}

/* Where the read has its value from, + 1. */
static uint32_t source_of(const struct hd_run *run, uint32_t read)
{
    const struct hd_stale *stale = hd_run_stale(run, &run->log[read]);
    return stale && !stale->store ? stale->source : writer_before(run, read);
}

/* Has the write, which is in the log at `lost`, been overwritten before anybody saw it, or
 * before the thread that overwrites it did? */
static bool is_lost(const struct hd_run *run, uint32_t lost, uint32_t write, uint32_t *base)
{
    const struct hd_step *w = &run->log[write];
    bool heard = false;
    *base = 0;
    if (run->log[lost].flags & HD_STEP_SOLO)
        return false;
    for (uint32_t i = lost + 1; i <= write; i++)
        if (reads(&run->log[i]) && hd_explain_order_conflict(&run->log[i], &run->log[lost])) {
            if (run->log[i].thread == w->thread)
                return false;
            heard = true;
        }
    if (run->log[lost].thread == w->thread)
        return !heard;
    for (uint32_t i = lost; i-- > 0 && !*base;)
        if (run->log[i].thread == w->thread && reads(&run->log[i]) &&
            hd_explain_order_conflict(&run->log[i], &run->log[lost]))
            *base = i + 1;
    return *base || !heard;
}

/* All that the slice meets; hd_causes_find() chooses among them. */
struct slice {
    const struct hd_run *run;
    struct hd_program *program;
    uint32_t n;
    struct hd_cause items[MOST_MET];
};

static bool has_read(const struct slice *c, uint32_t read)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (c->items[i].read == read + 1)
            return true;
    return false;
}

static void add(struct slice *c, uint32_t read)
{
    const struct hd_run *run = c->run;
    if (c->n == MOST_MET || has_read(c, read))
        return;
    struct hd_cause *cause = &c->items[c->n++];
    *cause = (struct hd_cause){ .read = read + 1, .write = source_of(run, read) };
    if (!cause->write || hd_run_stale(run, &run->log[read]))
        return;
    uint32_t before = writer_before(run, cause->write - 1), base;
    if (before && is_lost(run, before - 1, cause->write - 1, &base)) {
        cause->lost = before;
        cause->base = base;
    }
}

static bool same_function(struct hd_program *program, const struct hd_step *a,
                          const struct hd_step *b)
{
    struct hd_place p = hd_program_site(program, a->site), q = hd_program_site(program, b->site);
    return strcmp(p.function, q.function) == 0;
}

static uint64_t mask_of(uint32_t size) { return size >= 8 ? ~0ull : (1ull << 8 * size) - 1; }

/* Of what size a number must be so that finding it again is no accident. */
static bool is_telling(uint64_t value) { return value > 1 && value + 1 > 1; }

/* The last read of the thread before step `write` that gave the value: it is what the write
 * stores, or adds to what was there. */
static bool add_value(struct slice *c, uint32_t write, uint64_t value)
{
    const struct hd_step *w = &c->run->log[write];
    uint32_t seen = 0;
    for (uint32_t i = write; is_telling(value) && i-- > 0 && seen < WINDOW;) {
        const struct hd_step *s = &c->run->log[i];
        if (s->thread != w->thread)
            continue;
        seen++;
        if (reads(s) && s->value_read == value && writer_before(c->run, i)) {
            add(c, i);
            return true;
        }
    }
    return false;
}

/* What the write may have been computed from. */
static void add_sources(struct slice *c, uint32_t write)
{
    const struct hd_step *w = &c->run->log[write];
    uint32_t found = 0, seen = 0;
    if (add_value(c, write, w->value_written))
        return;
    if (reads(w) && writer_before(c->run, write))
        add(c, write);
    for (uint32_t i = write; i-- > 0 && seen < WINDOW && found < MOST_SOURCES;) {
        const struct hd_step *s = &c->run->log[i];
        if (s->thread != w->thread)
            continue;
        seen++;
        if (writes(s) || !same_function(c->program, s, w))
            return;
        if (!reads(s) || !writer_before(c->run, i))
            continue;
        add(c, i);
        found++;
        if (s->size == w->size)
            add_value(c, i, (w->value_written - s->value_read) & mask_of(w->size));
    }
}

/* The reads at the place that fails, or the last one of the thread. */
static void add_first(struct slice *c)
{
    const struct hd_run *run = c->run;
    uint32_t thread, last = 0, seen = 0;
    struct hd_place place = hd_step_place(run, c->program, &thread);
    for (uint32_t i = run->n_log; i-- > 0 && seen < WINDOW && c->n < MOST_FIRST;) {
        const struct hd_step *s = &run->log[i];
        struct hd_place at = hd_program_site(c->program, s->site);
        if (s->thread != thread)
            continue;
        seen++;
        bool here = at.line == place.line && strcmp(at.file, place.file) == 0;
        if (!here && c->n)
            return;
        if (!reads(s))
            continue;
        last = last ? last : i + 1;
        if (here)
            add(c, i);
    }
    if (c->n == 0 && last)
        add(c, last - 1);
}

static bool is_value(const struct hd_run *run)
{
    switch ((enum hd_kind)run->finding.kind) {
    case HD_KIND_ASSERTION:
    case HD_KIND_CRASH:
    case HD_KIND_MEMORY:
    case HD_KIND_ABORT:
        return run->found && !run->scheduled_only && run->n_log <= LONGEST;
    default:
        return false;
    }
}

/* How much a cause says: the smaller, the more. */
static uint32_t rank(const struct slice *c, uint32_t i)
{
    const struct hd_cause *cause = &c->items[i];
    if (i == 0)
        return 0;
    if (!cause->lost)
        return 3;
    return c->run->log[cause->lost - 1].thread != c->run->log[cause->write - 1].thread ? 1 : 2;
}

/* Has the thread read the same write before? */
static bool says_again(const struct hd_causes *causes, const struct hd_cause *c,
                       const struct hd_run *run)
{
    for (uint32_t i = 0; i < causes->n; i++)
        if (c->write && causes->items[i].write == c->write &&
            run->log[causes->items[i].read - 1].thread == run->log[c->read - 1].thread)
            return true;
    return false;
}

/* Was it written after the threads began? */
static bool is_change(const struct hd_cause *c, const struct hd_run *run)
{
    return c->write && !(run->log[c->write - 1].flags & HD_STEP_SOLO);
}

void hd_causes_find(struct hd_causes *causes, const struct hd_run *run,
                    struct hd_program *program)
{
    struct slice c = { .run = run, .program = program };
    causes->n = 0;
    if (!is_value(run))
        return;
    add_first(&c);
    for (uint32_t i = 0; i < c.n; i++)
        if (c.items[i].write)
            add_sources(&c, c.items[i].write - 1);
    bool better = false;
    for (uint32_t i = 1; i < c.n; i++)
        better = better || rank(&c, i) == 1;
    for (uint32_t of = 0; of < 4; of++)
        for (uint32_t i = 0; i < c.n && causes->n < HD_MOST_CAUSES; i++) {
            if (rank(&c, i) != of || says_again(causes, &c.items[i], run) ||
                (run->finding.kind == HD_KIND_MEMORY && !is_change(&c.items[i], run)))
                continue;
            causes->items[causes->n++] = c.items[i];
            if (of == 2 && better) /* a thread that overwrites its own is nothing unusual */
                causes->items[causes->n - 1].lost = 0;
        }
}

bool hd_causes_have(const struct hd_causes *causes, uint32_t step)
{
    for (uint32_t i = 0; i < causes->n; i++) {
        const struct hd_cause *c = &causes->items[i];
        if (c->read == step + 1 || c->write == step + 1 || c->lost == step + 1 ||
            c->base == step + 1)
            return true;
    }
    return false;
}

/* "T2 read buf[0] = 10 at q.c:9 (step 31)" */
static void access_words(struct hd_str *out, uint32_t at, bool write, const struct hd_run *run,
                         struct hd_program *program)
{
    const struct hd_step *s = &run->log[at];
    struct hd_place place = hd_program_site(program, s->site);
    hd_name_thread(out, &run->threads, s->thread);
    hd_str_append(out, write ? " wrote " : " read ");
    hd_step_about(out, s, run, program);
    hd_str_append(out, " = ");
    hd_step_value(out, write ? s->value_written : s->value_read, s->size, run, program);
    if (place.line)
        hd_str_appendf(out, " at %s:%u", hd_fs_base(place.file), place.line);
    hd_str_appendf(out, " (step %u)", at + 1);
}

static void lost_words(struct hd_str *out, const struct hd_cause *c, const struct hd_run *run,
                       struct hd_program *program)
{
    const struct hd_step *lost = &run->log[c->lost - 1];
    const struct hd_step *w = &run->log[c->write - 1];
    hd_str_append(out, " over the ");
    hd_step_value(out, lost->value_written, lost->size, run, program);
    hd_str_append(out, " of ");
    hd_name_thread(out, &run->threads, lost->thread);
    hd_str_appendf(out, " (step %u), which ", c->lost);
    if (!c->base) {
        hd_str_append(out, "nobody had read");
        return;
    }
    hd_name_thread(out, &run->threads, w->thread);
    hd_str_append(out, " had not seen: it had read ");
    hd_step_value(out, run->log[c->base - 1].value_read, run->log[c->base - 1].size, run,
                  program);
    hd_str_appendf(out, " before (step %u)", c->base);
}

void hd_cause_words(struct hd_str *out, const struct hd_cause *c, const struct hd_run *run,
                    struct hd_program *program)
{
    access_words(out, c->read - 1, false, run, program);
    if (!c->write) {
        hd_str_append(out, writer_before(run, c->read - 1)
                               ? ": the initial value, although it has been written since"
                               : ": nobody had written it in this run");
        return;
    }
    if (run->log[c->write - 1].flags & HD_STEP_SOLO && !c->lost) {
        hd_str_append(out, ", as it was before the threads began");
        return;
    }
    hd_str_append(out, ": ");
    access_words(out, c->write - 1, true, run, program);
    if (c->lost)
        lost_words(out, c, run, program);
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

/* Prints the words, wrapped to the width: the first line behind two blanks, the others behind
 * four. */
static void print_wrapped(const struct hd_terminal *text, const char *words)
{
    const char *margin = "  ";
    for (const char *at = words; *at;) {
        size_t room = text->width - strlen(margin), length = strlen(at), end = length;
        if (length > room)
            for (end = room; end > 0 && at[end] != ' ';)
                end--;
        end = end ? end : strcspn(at, " ");
        fprintf(text->out, "%s%.*s\n", margin, (int)end, at);
        at += end + (at[end] == ' ');
        margin = "    ";
    }
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
    fprintf(text->out, "%swhy%s\n", hd_terminal_bold(text), hd_terminal_plain(text));
    for (uint32_t i = 0; i < causes.n && (i < SHOWN || text->whole); i++) {
        hd_str_clear(&words);
        hd_cause_words(&words, &causes.items[i], run, program);
        print_wrapped(text, words.text);
    }
    fputc('\n', text->out);
    hd_str_release(&words);
}
