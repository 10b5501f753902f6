/* Traces by their definition, and runs as text: both need all runs in full. */
#include "interp.h"
#include "walk.h"

#include <stdlib.h>
#include <string.h>

struct run {
    uint32_t n;
    enum orc_end end;
    struct orc_event *events;
};

struct runs {
    struct orc_walk walk;
    uint64_t most, n, room;
    struct run *all;
};

static void *grown(void *p, uint64_t bytes)
{
    p = realloc(p, bytes);
    if (!p) {
        fputs("oracle: out of memory\n", stderr);
        exit(2);
    }
    return p;
}

static void keep(struct runs *r, enum orc_end end)
{
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        r->all = grown(r->all, r->room * sizeof *r->all);
    }
    uint64_t bytes = r->walk.depth * sizeof(struct orc_event);
    r->all[r->n] = (struct run){ r->walk.depth, end, grown(NULL, bytes) };
    memcpy(r->all[r->n++].events, r->walk.events, bytes);
}

static void collect(struct runs *r, const struct orc_state *s)
{
    bool moved = false;
    for (uint32_t t = 0; t < r->walk.m->program->n_threads; t++) {
        uint32_t n = orc_state_choices(r->walk.m, s, t);
        moved |= n > 0;
        for (uint32_t choice = 0; choice < n && r->n <= r->most; choice++) {
            struct orc_state next = *s;
            uint16_t stmt;
            enum orc_end end = orc_walk_step(&r->walk, &next, t, choice, &stmt);
            if (end == ORC_GOES_ON)
                collect(r, &next);
            else if (end != ORC_ASSUMED)
                keep(r, end);
            orc_walk_back(&r->walk);
        }
    }
    if (!moved)
        keep(r, ORC_DEADLOCKED);
}

static void collect_all(struct runs *r, const struct orc_lowered *m, uint64_t most)
{
    struct orc_state s;
    memset(r, 0, sizeof *r);
    r->most = most;
    orc_walk_init(&r->walk, m);
    orc_state_init(m, &s);
    collect(r, &s);
}

static void runs_release(struct runs *r)
{
    for (uint64_t i = 0; i < r->n; i++)
        free(r->all[i].events);
    free(r->all);
}

static uint64_t find(uint64_t *up, uint64_t i)
{
    while (up[i] != i)
        i = up[i] = up[up[i]];
    return i;
}

static uint64_t union_by_swaps(struct runs *r, struct orc_set *index, uint64_t *up)
{
    uint64_t classes = r->n;
    for (uint64_t i = 0; i < r->n; i++) {
        struct orc_event *ev = r->all[i].events;
        for (uint32_t d = 0; d + 1 < r->all[i].n; d++) {
            if (orc_dependent(&ev[d], &ev[d + 1]))
                continue;
            struct orc_event was = ev[d];
            ev[d] = ev[d + 1];
            ev[d + 1] = was;
            bool fresh;
            struct orc_entry *e = orc_set_get(index, orc_key_of(ev, r->all[i].n * sizeof *ev),
                                              &fresh);
            ev[d + 1] = ev[d];
            ev[d] = was;
            /* Not every swap is a run: a failing step, for one, comes last. */
            if (fresh || e->value == 0)
                continue;
            uint64_t a = find(up, i), b = find(up, e->value - 1);
            classes -= a != b;
            up[a] = b;
        }
    }
    return classes;
}

uint64_t orc_swap_classes(const struct orc_lowered *m, uint64_t most)
{
    struct runs r;
    struct orc_set index;
    uint64_t classes = 0;
    collect_all(&r, m, most);
    orc_set_init(&index);
    uint64_t *up = grown(NULL, r.n * sizeof *up);
    for (uint64_t i = 0; i < r.n; i++) {
        bool fresh;
        up[i] = i;
        orc_set_get(&index, orc_key_of(r.all[i].events, r.all[i].n * sizeof(struct orc_event)),
                    &fresh)
            ->value = i + 1;
    }
    if (r.n <= most)
        classes = union_by_swaps(&r, &index, up);
    free(up);
    orc_set_release(&index);
    runs_release(&r);
    return classes;
}

static void print_event(const struct orc_event *e, FILE *out)
{
    static const char *const spaces[] = { "",       "mem", "mutex",   "cond", "thread",
                                          "rwlock", "sem", "barrier", "clock" };
    fprintf(out, "  T%u.%u %s", e->thread, e->index, orc_op_text(e->op));
    for (int i = 0; i < 2; i++)
        if (e->touch[i].space)
            fprintf(out, " %s[%u,%u)%s", spaces[e->touch[i].space], e->touch[i].begin,
                    e->touch[i].end, e->touch[i].writes ? "w" : "r");
    if (e->waker != ORC_NOBODY)
        fprintf(out, " wakes T%u", e->waker);
    fputc('\n', out);
}

void orc_explain(const struct orc_lowered *m, uint64_t most, FILE *out)
{
    static const char *const ends[] = { "?", "end", "assertion", "misuse", "deadlock" };
    struct runs r;
    collect_all(&r, m, most);
    for (uint64_t i = 0; i < r.n && i < most; i++) {
        fprintf(out, "run %llu: %s\n", (unsigned long long)i + 1, ends[r.all[i].end]);
        for (uint32_t d = 0; d < r.all[i].n; d++)
            print_event(&r.all[i].events[d], out);
    }
    runs_release(&r);
}
