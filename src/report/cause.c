#include "report/cause.h"

#include "base/demangle.h"
#include "report/held.h"
#include "report/lin_calls.h"
#include "report/step.h"

#include <string.h>

#define LONGEST 200000 /* longer runs are not searched */
#define MOST_MET 32    /* reads of the slice */
#define MOST_FIRST 3   /* reads at the place that fails */
#define MOST_SOURCES 3 /* reads that a write may depend on */
#define WINDOW 40      /* steps of a thread in which they are looked for */
#define MOST_FLOW 16   /* sites that a value may come from */

/* Did the step come before the first thread was created? */
static bool is_early(const struct hd_run *run, uint32_t at)
{
    for (uint32_t i = 0; i < at; i++)
        if (run->log[i].op == HD_OP_CREATE)
            return false;
    return true;
}

/* Has the write, which is in the log at `lost`, been overwritten before anybody saw it, or
 * before the thread that overwrites it did? */
static bool is_lost(const struct hd_run *run, uint32_t lost, uint32_t write, uint32_t *base)
{
    const struct hd_step *w = &run->log[write];
    bool heard = false;
    *base = 0;
    if (is_early(run, lost))
        return false;
    for (uint32_t i = lost + 1; i <= write; i++)
        if (hd_written_reads(run, i, lost)) {
            if (run->log[i].thread == w->thread)
                return false;
            heard = true;
        }
    if (run->log[lost].thread == w->thread)
        return !heard;
    for (uint32_t k = lost; k > 0 && !hd_written_unseen(run, k - 1); k--) {
        uint32_t i = k - 1;
        if (run->log[i].thread == w->thread && hd_written_reads(run, i, lost)) {
            if (hd_written_is_read(run, i) && hd_written_same(run, i, lost))
                *base = i + 1;
            break;
        }
    }
    return *base || !heard;
}

/* All that the slice meets; hd_causes_find() chooses among them. */
struct slice {
    uint32_t use; /* the step, + 1, for which reads are added now; behind the log: what fails */
    enum hd_cause_kind kind; /* of these reads */
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

/* The first step behind the read that writes the same bytes, + 1; 0: none. */
static uint32_t written_later(const struct hd_run *run, uint32_t read)
{
    for (uint32_t i = read + 1; i < run->n_log; i++)
        if (run->log[i].flags & HD_STEP_HAS_WRITTEN && hd_written_same(run, i, read))
            return i + 1;
    return 0;
}

/* Is the step of a thread whose order with the reading one decides the run? */
static bool decides(const struct hd_run *run, const struct hd_step *write)
{
    for (uint32_t i = 0; i < run->n_orderings; i++)
        if (run->orderings[i].late.thread == write->thread ||
            run->orderings[i].early.thread == write->thread)
            return true;
    return false;
}

/* Of the writes of other threads from `write` on that come before the use, with none of the
 * reading thread between them: the first of a thread whose order decides, or `write`. */
static uint32_t telling(const struct hd_run *run, uint32_t read, uint32_t write, uint32_t use)
{
    for (uint32_t at = write; at; at = hd_written_next(run, at - 1, use)) {
        const struct hd_step *w = &run->log[at - 1];
        if (w->thread == run->log[read].thread || !hd_written_same(run, at - 1, read))
            break;
        if (decides(run, w) && w->value_written != run->log[read].value_read &&
            !hd_run_stale(run, w))
            return at;
    }
    return write;
}

/* A write of what was read before it was used, + 1, if another thread made the first one and it
 * is another value; 0: there is none, or it is not known. */
static uint32_t changed(const struct hd_run *run, uint32_t read, uint32_t use)
{
    const struct hd_step *r = &run->log[read];
    uint32_t write = hd_written_next(run, read, use);
    const struct hd_step *w = write ? &run->log[write - 1] : NULL;
    bool other = w && w->thread != r->thread && w->flags & HD_STEP_HAS_WRITTEN &&
                 hd_written_same(run, write - 1, read) && w->value_written != r->value_read;
    bool fine = other && !hd_run_stale(run, r) && !hd_run_stale(run, w);
    return fine ? telling(run, read, write, use) : 0;
}

static void add(struct slice *c, uint32_t read)
{
    const struct hd_run *run = c->run;
    if (c->n == MOST_MET || has_read(c, read))
        return;
    struct hd_cause *cause = &c->items[c->n++];
    struct hd_written from = hd_written_source(run, read);
    *cause = (struct hd_cause){
        .read = read + 1, .write = from.step, .from = from, .kind = c->kind, .use = c->use
    };
    cause->changed = changed(run, read, c->use - 1);
    if (from.how == HD_WRITTEN_NEVER)
        cause->later = written_later(run, read);
    if (from.how != HD_WRITTEN_VALUE || hd_run_stale(run, &run->log[read]))
        return;
    uint32_t before = hd_written_over(run, cause->write - 1), base;
    if (before && is_lost(run, before - 1, cause->write - 1, &base)) {
        cause->lost = before;
        cause->base = base;
    }
}

static bool same_line(struct hd_program *program, const struct hd_step *a,
                      const struct hd_step *b)
{
    struct hd_place p = hd_program_site(program, a->site), q = hd_program_site(program, b->site);
    return p.line == q.line && strcmp(p.file, q.file) == 0 && strcmp(p.function, q.function) == 0;
}

/* Does the log tell who wrote what the step read? */
static bool has_source(const struct hd_run *run, uint32_t at)
{
    return hd_written_is_read(run, at) && hd_written_source(run, at).step;
}

/* Of what size a number must be so that finding it again is no accident. */
static bool is_telling(uint64_t value) { return value > 255 && value + 256 > 256; }

/* The last read of the thread before step `write` that gave the value: it is what the write
 * stores. */
static bool add_value(struct slice *c, uint32_t write, uint64_t value)
{
    const struct hd_step *w = &c->run->log[write];
    uint32_t seen = 0;
    for (uint32_t i = write; is_telling(value) && i-- > 0 && seen < WINDOW;) {
        const struct hd_step *s = &c->run->log[i];
        if (s->thread != w->thread)
            continue;
        seen++;
        if (has_source(c->run, i) && s->value_read == value) {
            add(c, i);
            return true;
        }
    }
    return false;
}

static bool is_among(uint32_t site, const uint32_t *sites, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (sites[i] == site)
            return true;
    return false;
}

/* Has a later read of the same bytes been taken, of those from `first` on? */
static bool is_repeated(const struct slice *c, uint32_t first, uint32_t read)
{
    for (uint32_t i = first; i < c->n; i++)
        if (hd_written_same(c->run, c->items[i].read - 1, read))
            return true;
    return false;
}

/* The last reads of the thread before step `before` that the value or address at the site is
 * made of, as the program's code says.  *all: it is made of nothing else. */
static uint32_t add_flow(struct slice *c, uint32_t site, enum hd_flow_of of, uint32_t thread,
                         uint32_t before, bool *all)
{
    uint32_t sites[MOST_FLOW], seen = 0, first = c->n;
    uint32_t n = hd_program_flow(c->program, site, of, sites, MOST_FLOW, all);
    for (uint32_t i = before; n && i-- > 0 && seen < WINDOW && c->n - first < MOST_SOURCES;) {
        const struct hd_step *s = &c->run->log[i];
        if (s->thread != thread)
            continue;
        seen++;
        if (is_among(s->site, sites, n) && hd_written_is_read(c->run, i) &&
            !is_repeated(c, first, i))
            add(c, i);
    }
    return c->n - first;
}

/* What the write may have been computed from: as the code says, or where that does not say it,
 * reads of its line, or of what it writes. */
static void add_values(struct slice *c, uint32_t write)
{
    const struct hd_run *run = c->run;
    const struct hd_step *w = &run->log[write];
    uint32_t found = 0, seen = 0;
    bool all;
    if (has_source(run, write))
        add(c, write);
    if (add_flow(c, w->site, HD_FLOW_VALUE, w->thread, write, &all) || all ||
        add_value(c, write, w->value_written))
        return;
    for (uint32_t i = write; i-- > 0 && seen < WINDOW && found < MOST_SOURCES;) {
        const struct hd_step *s = &run->log[i];
        if (s->thread != w->thread)
            continue;
        seen++;
        if (s->flags & HD_STEP_HAS_WRITTEN)
            return;
        if (!has_source(run, i) ||
            (!same_line(c->program, s, w) && !hd_written_same(run, i, write)))
            continue;
        add(c, i);
        found++;
    }
}

/* What led to the step, which is in the log at `use` or what fails: the reads of its value, of
 * its address, and of the branches before it. */
static void add_sources(struct slice *c, uint32_t use)
{
    const struct hd_step *w = &c->run->log[use];
    bool all;
    if (w->op == HD_OP_COPY)
        return;
    c->use = use + 1;
    c->kind = HD_CAUSE_VALUE;
    add_values(c, use);
    c->kind = HD_CAUSE_ADDRESS;
    add_flow(c, w->site, HD_FLOW_ADDRESS, w->thread, use, &all);
    c->kind = HD_CAUSE_GUARD;
    add_flow(c, w->site, HD_FLOW_GUARD, w->thread, use, &all);
}

/* Is the function of a site the one that the place names, perhaps with its parameters? */
static bool in_function(const struct hd_place *place, const struct hd_place *at)
{
    struct hd_str name;
    hd_str_init(&name);
    hd_demangle(&name, at->function, strlen(at->function));
    hd_str_cut(&name, strcspn(name.text, "("));
    bool same = strstr(place->function, name.text);
    hd_str_release(&name);
    return same;
}

/* The reads at the place that fails since its thread did something else there. */
static void add_first(struct slice *c)
{
    const struct hd_run *run = c->run;
    uint32_t thread, seen = 0;
    struct hd_place place = hd_step_place(run, c->program, &thread);
    for (uint32_t i = run->n_log; i-- > 0 && seen < WINDOW && c->n < MOST_FIRST;) {
        const struct hd_step *s = &run->log[i];
        struct hd_place at = hd_program_site(c->program, s->site);
        if (s->thread != thread)
            continue;
        seen++;
        bool inside = strcmp(at.file, place.file) == 0 && in_function(&place, &at);
        bool here = inside && at.line == place.line;
        if (here && hd_written_is_read(run, i)) {
            for (uint32_t k = 0; k < c->n; k++)
                if (run->log[c->items[k].read - 1].site == s->site)
                    return; /* an earlier turn of a loop */
            add(c, i);
        } else if (c->n || (inside && !here)) {
            return;
        }
    }
}

/* The reads that the condition of the assertion is made of, or the address of the access. */
static void add_first_flow(struct slice *c)
{
    const struct hd_finding *f = &c->run->finding;
    bool address = f->kind == HD_KIND_CRASH || f->kind == HD_KIND_MEMORY, all;
    c->kind = address ? HD_CAUSE_ADDRESS : HD_CAUSE_VALUE;
    add_flow(c, f->call ? f->call : f->site, address ? HD_FLOW_ADDRESS : HD_FLOW_VALUE, f->thread,
             c->run->n_log, &all);
}

/* The reads of the branches that led to the place that fails. */
static void add_first_guards(struct slice *c)
{
    const struct hd_finding *f = &c->run->finding;
    bool all;
    c->kind = HD_CAUSE_GUARD;
    add_flow(c, f->call ? f->call : f->site, HD_FLOW_GUARD, f->thread, c->run->n_log, &all);
}

/* What the thread looked at before the wait that it does not come back from. */
static void add_predicate(struct slice *c, const struct hd_standing *s)
{
    const struct hd_run *run = c->run;
    uint32_t sites[MOST_FLOW], first = c->n, wait = hd_held_wait(run, s);
    bool all;
    uint32_t n = wait ? hd_program_flow(c->program, run->log[wait - 1].site, HD_FLOW_GUARD, sites,
                                        MOST_FLOW, &all)
                      : 0;
    c->use = wait;
    for (uint32_t i = n ? wait - 1 : 0; i-- > 0 && c->n - first < MOST_SOURCES;) {
        const struct hd_step *step = &run->log[i];
        if (step->thread != s->thread)
            continue;
        if (hd_op_table[step->op].space != HD_SPACE_MEM && !hd_held_takes(step))
            return; /* a check before the lock is often what is wrong */
        if (!is_among(step->site, sites, n) || !hd_written_is_read(run, i) ||
            is_repeated(c, first, i))
            continue;
        add(c, i);
        if (c->n > first && c->items[c->n - 1].from.how == HD_WRITTEN_VALUE)
            c->items[c->n - 1].later = written_later(run, i);
    }
}

/* Why the threads of a deadlock wait for signals. */
static void find_predicates(struct slice *c, struct hd_causes *causes)
{
    const struct hd_finding *f = &c->run->finding;
    c->kind = HD_CAUSE_GUARD;
    for (uint32_t i = 0; i < f->n_standings; i++)
        add_predicate(c, &f->standings[i]);
    for (uint32_t i = 0; i < c->n && causes->n < HD_MOST_CAUSES; i++)
        if (c->items[i].from.how != HD_WRITTEN_UNKNOWN)
            causes->items[causes->n++] = c->items[i];
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

/* How much a cause says: the smaller, the more.  A value that was there from the start and
 * stays says least. */
#define RANKS 5
static uint32_t rank(const struct slice *c, uint32_t i)
{
    const struct hd_cause *cause = &c->items[i];
    if (!cause->write && !cause->later)
        return RANKS - 1;
    if (i == 0)
        return 0;
    if (cause->changed)
        return 1;
    if (!cause->lost)
        return 3;
    return c->run->log[cause->lost - 1].thread != c->run->log[cause->write - 1].thread ? 1 : 2;
}

/* Has the thread read the same write before, or is the read the base of what is told? */
static bool says_again(const struct hd_causes *causes, const struct hd_cause *c,
                       const struct hd_run *run)
{
    for (uint32_t i = 0; i < causes->n; i++) {
        const struct hd_cause *told = &causes->items[i];
        if (told->base == c->read ||
            (c->write && told->write == c->write &&
             run->log[told->read - 1].thread == run->log[c->read - 1].thread))
            return true;
    }
    return false;
}

/* A variable of the program's own. */
static bool is_variable(const struct hd_step *s, const struct hd_program *program)
{
    uint64_t offset;
    bool unique;
    const char *name = hd_program_object(program, s->object.offset, &offset, &unique);
    return name && !hd_str_starts(name, "_ZT");
}

/* Has another thread written it after the read? */
static bool comes_late(const struct hd_cause *c, const struct hd_run *run)
{
    return c->later && run->log[c->later - 1].thread != run->log[c->read - 1].thread;
}

/* Has it come too late for a branch or an address: had it been written before, would another
 * value have been read? */
static bool misses(const struct hd_cause *c, const struct hd_run *run)
{
    const struct hd_step *read = &run->log[c->read - 1];
    return comes_late(c, run) && !(read->flags & HD_STEP_HAS_WRITTEN) &&
           run->log[c->later - 1].value_written != read->value_read;
}

static bool lost_another(const struct hd_cause *c, const struct hd_run *run)
{
    return c->lost && run->log[c->lost - 1].thread != run->log[c->write - 1].thread;
}

/* Does it say something?  `first`: it is a read at the place that fails. */
static bool is_news(const struct hd_cause *c, bool first, const struct slice *slice)
{
    const struct hd_run *run = slice->run;
    if (c->from.how == HD_WRITTEN_UNKNOWN)
        return false;
    if (c->changed)
        return true;
    if (c->kind != HD_CAUSE_VALUE) /* most branches and addresses are as they should be */
        return lost_another(c, run) || misses(c, run);
    if (!c->write)
        return (first || comes_late(c, run)) && run->finding.kind != HD_KIND_MEMORY &&
               is_variable(&run->log[c->read - 1], slice->program);
    if (is_early(run, c->write - 1))
        return false;
    return first || c->lost || run->log[c->read - 1].thread != run->log[c->write - 1].thread;
}

/* Does a harness judge the calls of heddle/lin.h?  Then the value is its own. */
static bool of_lin(const struct hd_run *run, const struct hd_program *program)
{
    struct hd_lin_calls calls;
    hd_lin_calls_init(&calls, run, program);
    bool any = calls.any;
    hd_lin_calls_release(&calls);
    return any;
}

void hd_causes_find(struct hd_causes *causes, const struct hd_run *run,
                    struct hd_program *program)
{
    struct slice c = { .run = run, .program = program, .use = run->n_log + 1 };
    causes->n = 0;
    if (run->found && run->finding.kind == HD_KIND_DEADLOCK && !run->scheduled_only)
        find_predicates(&c, causes);
    if (!is_value(run) || of_lin(run, program))
        return;
    add_first(&c);
    add_first_flow(&c);
    uint32_t n_first = c.n;
    add_first_guards(&c);
    for (uint32_t i = 0; i < c.n; i++)
        if (c.items[i].from.how == HD_WRITTEN_VALUE)
            add_sources(&c, c.items[i].write - 1);
    bool better = false;
    for (uint32_t i = 1; i < c.n; i++)
        better = better || rank(&c, i) == 1;
    for (uint32_t of = 0; of < RANKS; of++)
        for (uint32_t i = 0; i < c.n && causes->n < HD_MOST_CAUSES; i++) {
            if (rank(&c, i) != of || says_again(causes, &c.items[i], run) ||
                !is_news(&c.items[i], i < n_first, &c))
                continue;
            causes->items[causes->n++] = c.items[i];
            if (of == 2 && better) /* a thread that overwrites its own is nothing unusual */
                causes->items[causes->n - 1].lost = 0;
        }
}

/* Is it but a link of the chain: a thread read what another had written, and that is all? */
static bool is_link(const struct hd_cause *c) { return !c->lost && !c->changed && !c->later; }

uint32_t hd_causes_told(const struct hd_causes *causes)
{
    enum { MOST_TOLD = 4, MOST_LINKS = 3 };
    uint32_t n = 0;
    while (n < causes->n && n < (is_link(&causes->items[n]) ? MOST_LINKS : MOST_TOLD))
        n++;
    return n;
}

bool hd_causes_have(const struct hd_causes *causes, uint32_t step)
{
    for (uint32_t i = 0; i < hd_causes_told(causes); i++) {
        const struct hd_cause *c = &causes->items[i];
        if (c->read == step + 1 || c->changed == step + 1)
            return true;
        if (c->changed && c->kind != HD_CAUSE_VALUE)
            continue; /* no words about where it came from */
        if (c->write == step + 1 || c->lost == step + 1 || c->base == step + 1 ||
            c->later == step + 1)
            return true;
    }
    return false;
}
