#include "report/written.h"

#include "core/touch.h"

static bool is_memory(const struct hd_touch *t) { return t->begin < HD_TOUCH_THREAD; }

static bool overlap(const struct hd_touch *a, const struct hd_touch *b)
{
    return a->begin < b->end && b->begin < a->end;
}

static bool same(const struct hd_touch *a, const struct hd_touch *b)
{
    return a->begin == b->begin && a->end == b->end;
}

/* The bytes of a plain or atomic access; empty: it is none. */
static struct hd_touch bytes_of(const struct hd_step *s)
{
    struct hd_touch none = { 0 };
    bool access = hd_op_table[s->action.op].space == HD_SPACE_MEM && s->action.op != HD_OP_FREE &&
                  s->action.op != HD_OP_AWAIT;
    return access ? hd_touch_one(&s->action) : none;
}

static bool has_value(const struct hd_step *s, uint32_t flag)
{
    return s->flags & flag && s->size > 0 && s->size <= 8;
}

/* What the step writes of these bytes; empty: nothing. */
static struct hd_touch written(const struct hd_step *s, const struct hd_touch *bytes)
{
    struct hd_touch t[2];
    int n = hd_touches(&s->action, t);
    for (int i = 0; i < n; i++)
        if (is_memory(&t[i]) && t[i].writes && overlap(&t[i], bytes))
            return t[i];
    return (struct hd_touch){ 0 };
}

static bool reads_too(uint16_t op) { return op == HD_OP_RMW || op == HD_OP_CAS; }

static bool reads_any(const struct hd_step *s, const struct hd_touch *bytes)
{
    struct hd_touch t[2];
    int n = hd_touches(&s->action, t);
    for (int i = 0; i < n; i++)
        if (is_memory(&t[i]) && (!t[i].writes || reads_too(s->action.op)) &&
            overlap(&t[i], bytes))
            return true;
    return false;
}

bool hd_written_unseen(const struct hd_run *run, uint32_t at)
{
    switch ((enum hd_op)run->log[at].op) {
    case HD_OP_ATOMIC:
    case HD_OP_CHOOSE_INSIDE:
    case HD_OP_OUTSIDE:
    case HD_OP_OUTSIDE_MAPPED:
        return true;
    default:
        return false;
    }
}

bool hd_written_is_read(const struct hd_run *run, uint32_t at)
{
    const struct hd_step *s = &run->log[at];
    return s->op != HD_OP_COPY && has_value(s, HD_STEP_HAS_READ) && bytes_of(s).end &&
           s->object.where != HD_WHERE_NONE;
}

/* A store that took a place before one that was there: others may read that one. */
static bool is_older(const struct hd_run *run, uint32_t at)
{
    const struct hd_stale *stale = hd_run_stale(run, &run->log[at]);
    return stale && stale->store;
}

/* Are the bytes that are known of both the same? */
static bool agree(const struct hd_step *w, uint64_t to, const struct hd_step *r, uint64_t from)
{
    if (!(w->flags & HD_STEP_HAS_WRITTEN))
        return true;
    for (uint64_t i = 0; i < r->size && i < 8; i++) {
        uint64_t at = from + i - to; /* wraps round for a byte before */
        if (at < 8 && at < w->size &&
            (uint8_t)(w->value_written >> 8 * at) != (uint8_t)(r->value_read >> 8 * i))
            return false;
    }
    return true;
}

/* How the write made what the read gave. */
static struct hd_written how(const struct hd_run *run, uint32_t write, uint32_t read)
{
    const struct hd_step *w = &run->log[write], *r = &run->log[read];
    struct hd_touch from = bytes_of(r), to = written(w, &from), all = bytes_of(w);
    struct hd_written unknown = { .how = HD_WRITTEN_UNKNOWN };
    if (!to.end || w->op == HD_OP_FREE || w->op == HD_OP_EXIT || is_older(run, write))
        return unknown;
    if (!same(&to, &all) || !(w->flags & HD_STEP_HAS_WRITTEN))
        return (struct hd_written){ HD_WRITTEN_CALL, write + 1, 0 };
    if (!agree(w, to.begin, r, from.begin))
        return unknown;
    if (same(&to, &from))
        return (struct hd_written){ HD_WRITTEN_VALUE, write + 1, 0 };
    if (to.begin <= from.begin && to.end >= from.end)
        return (struct hd_written){ HD_WRITTEN_RANGE, write + 1, (uint32_t)(to.end - to.begin) };
    uint64_t begin = to.begin > from.begin ? to.begin : from.begin;
    uint64_t end = to.end < from.end ? to.end : from.end;
    return (struct hd_written){ HD_WRITTEN_PART, write + 1, (uint32_t)(end - begin) };
}

/* The last step before that writes any of the bytes, + 1; 0: none.  False: it is not known. */
static bool last_writer(const struct hd_run *run, uint32_t before, const struct hd_touch *bytes,
                        uint32_t *writer)
{
    *writer = 0;
    for (uint32_t i = before; i-- > 0 && !*writer;) {
        if (hd_written_unseen(run, i))
            return false;
        if (written(&run->log[i], bytes).end)
            *writer = i + 1;
    }
    return true;
}

struct hd_written hd_written_source(const struct hd_run *run, uint32_t read)
{
    const struct hd_step *r = &run->log[read];
    const struct hd_stale *stale = hd_run_stale(run, r);
    struct hd_written none = { .how = HD_WRITTEN_UNKNOWN };
    struct hd_touch bytes = bytes_of(r);
    uint32_t writer;
    bool global = r->object.where == HD_WHERE_GLOBAL, old = stale && !stale->store;
    if (!hd_written_is_read(run, read))
        return none;
    if (old && stale->source)
        return how(run, stale->source - 1, read);
    if (!last_writer(run, read, &bytes, &writer) ||
        (!old && run->memory != HD_MEMORY_SC && r->choice))
        return none;
    if (writer && !old)
        return how(run, writer - 1, read);
    if (global)
        none.how = writer ? HD_WRITTEN_STALE : HD_WRITTEN_NEVER;
    return none;
}

uint32_t hd_written_next(const struct hd_run *run, uint32_t read, uint32_t end)
{
    struct hd_touch bytes = bytes_of(&run->log[read]);
    for (uint32_t i = read + 1; i < end && i < run->n_log && bytes.end; i++) {
        if (hd_written_unseen(run, i))
            return 0;
        if (written(&run->log[i], &bytes).end)
            return i + 1;
    }
    return 0;
}

bool hd_written_same(const struct hd_run *run, uint32_t at, uint32_t other)
{
    struct hd_touch a = bytes_of(&run->log[at]), b = bytes_of(&run->log[other]);
    return a.end && same(&a, &b);
}

uint32_t hd_written_over(const struct hd_run *run, uint32_t write)
{
    struct hd_touch bytes = bytes_of(&run->log[write]);
    uint32_t writer;
    if (!bytes.end || !last_writer(run, write, &bytes, &writer) || !writer)
        return 0;
    bool known = hd_written_same(run, writer - 1, write) && !is_older(run, writer - 1) &&
                 has_value(&run->log[writer - 1], HD_STEP_HAS_WRITTEN);
    return known ? writer : 0;
}

bool hd_written_reads(const struct hd_run *run, uint32_t at, uint32_t write)
{
    struct hd_touch bytes = bytes_of(&run->log[write]);
    return reads_any(&run->log[at], &bytes);
}
