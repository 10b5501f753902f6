#include "analyse/warnings.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 1000, MOST_PER_PLACE = 400, LONGEST_CYCLE = 4 };

static struct hd_warning *add(struct hd_warnings *w, enum hd_warning_kind kind)
{
    if (w->n == MOST_WARNINGS) {
        w->more = true;
        return NULL;
    }
    if (w->n == w->room) {
        w->room = w->room ? w->room * 2 : 16;
        w->items = hd_realloc(w->items, w->room * sizeof *w->items);
    }
    w->items[w->n] = (struct hd_warning){ .kind = kind };
    return &w->items[w->n++];
}

/* Can two different threads be at these points, and which entries are they?  The first entry is
 * that of main, which may be alone: others come before it. */
static bool two_threads(const struct hd_facts *facts, uint32_t a, uint32_t b, uint32_t *first,
                        uint32_t *second)
{
    uint32_t f = hd_code_function_of(&facts->code, a), g = hd_code_function_of(&facts->code, b);
    for (uint32_t x = facts->threads.n; x-- > 0;)
        for (uint32_t y = facts->threads.n; y-- > 0;)
            if (hd_threads_runs(&facts->threads, x, f) &&
                hd_threads_runs(&facts->threads, y, g) &&
                (x != y || facts->threads.entries[x].many)) {
                *first = x;
                *second = y;
                return true;
            }
    return false;
}

/* ---- races ---- */

struct candidate {
    const struct hd_mem_access *access;
    struct hd_lockset held;
    uint32_t location;
};

/* Points of main that come after a loop or block that joins, on every way: the threads are
 * gone.  A heuristic: which threads were joined is not looked at. */
static void find_joined(const struct hd_facts *facts, bool *joined)
{
    const struct hd_code *code = &facts->code;
    uint32_t function = facts->threads.entries[0].function;
    if (function == HD_NO_POINT)
        return;
    uint32_t first = code->functions[function].first_block;
    uint32_t end = code->functions[function].end_block, n = 0;
    bool *wall = hd_alloc(code->n_blocks + 1), *seen = hd_alloc(code->n_blocks + 1), any = false;
    for (uint32_t b = first; b < end; b++)
        for (uint32_t i = code->blocks[b].first; i < code->blocks[b].end; i++)
            if (facts->accesses.sync[i] == HD_SYNC_JOIN)
                any = wall[facts->cfg.component[b]] = true;
    uint32_t *work = hd_alloc((end - first + 1) * sizeof *work);
    work[n++] = first;
    seen[first] = true;
    while (n) {
        uint32_t b = work[--n];
        if (wall[facts->cfg.component[b]])
            continue;
        for (uint32_t e = facts->cfg.succ_first[b]; e < facts->cfg.succ_first[b + 1]; e++)
            if (!seen[facts->cfg.succ[e]]) {
                seen[facts->cfg.succ[e]] = true;
                work[n++] = facts->cfg.succ[e];
            }
    }
    for (uint32_t b = first; any && b < end; b++)
        if (!seen[b] || wall[facts->cfg.component[b]])
            for (uint32_t i = code->blocks[b].end; i-- > code->blocks[b].first;) {
                if (facts->accesses.sync[i] == HD_SYNC_JOIN)
                    break;
                joined[i] = !facts->cfg.in_loop[b] || !wall[facts->cfg.component[b]];
            }
    free(wall);
    free(seen);
    free(work);
}

static bool same_place(const struct hd_code *code, uint32_t a, uint32_t b)
{
    struct hd_code_place x = hd_code_place(code->insts[a]), y = hd_code_place(code->insts[b]);
    return x.line == y.line && x.file_n == y.file_n && memcmp(x.file, y.file, x.file_n) == 0 &&
           hd_code_function_of(code, a) == hd_code_function_of(code, b);
}

static bool told(const struct hd_warnings *w, const struct hd_code *code, uint32_t from,
                 uint32_t a, uint32_t b)
{
    for (uint32_t i = from; i < w->n; i++) {
        const struct hd_warning_site *s = w->items[i].sites;
        if ((same_place(code, s[0].point, a) && same_place(code, s[1].point, b)) ||
            (same_place(code, s[0].point, b) && same_place(code, s[1].point, a)))
            return true;
    }
    return false;
}

static void judge_pair(struct hd_warnings *w, struct hd_facts *facts, uint32_t from,
                       const struct candidate *a, const struct candidate *b)
{
    uint32_t both = a->access->flags & b->access->flags;
    uint32_t either = a->access->flags | b->access->flags;
    struct hd_warning_site x = { .point = a->access->point, .location = a->location };
    struct hd_warning_site y = { .point = b->access->point, .location = b->location };
    x.writes = a->access->flags & HD_MEM_WRITE;
    y.writes = b->access->flags & HD_MEM_WRITE;
    if (!(either & HD_MEM_WRITE) || both & HD_MEM_ATOMIC ||
        hd_lockset_protects(&a->held, &b->held) ||
        !hd_accesses_meet(&facts->points_to, a->access, b->access) ||
        !two_threads(facts, x.point, y.point, &x.entry, &y.entry) ||
        told(w, &facts->code, from, x.point, y.point))
        return;
    struct hd_warning *warning = add(w, HD_WARNING_RACE);
    if (warning == NULL)
        return;
    warning->sites[0] = x;
    warning->sites[1] = y;
    warning->n_sites = 2;
}

/* The first of them that can be written at all, by which the access is named; n: none.  The
 * unknown has no name. */
static uint32_t first_variable(const struct hd_objects *objects, const uint32_t *set, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef value = objects->items[objects->locations[set[i]].object].value;
        if (set[i] == HD_UNKNOWN_LOCATION)
            continue;
        if (value == NULL || !LLVMIsAGlobalVariable(value) || !LLVMIsGlobalConstant(value))
            return i;
    }
    return n;
}

static void find_races(struct hd_warnings *w, struct hd_facts *facts)
{
    const struct hd_accesses *accesses = &facts->accesses;
    bool *joined = hd_alloc(facts->code.n_insts + 1);
    struct candidate *list = hd_alloc((accesses->n + 1) * sizeof *list);
    uint32_t *object_n = hd_alloc((facts->points_to.objects.n + 1) * sizeof *object_n), n = 0;
    find_joined(facts, joined);
    for (uint32_t i = 0; i < accesses->n; i++) {
        const struct hd_mem_access *access = &accesses->items[i];
        uint32_t set_n;
        if (!(access->flags & HD_MEM_SHARED) || access->flags & HD_MEM_SYNC ||
            access->pointer == NULL || joined[access->point] ||
            !hd_sharing_beside(&facts->sharing, access->point))
            continue;
        const uint32_t *set = hd_solver_get(facts->points_to.solver, access->node, &set_n);
        uint32_t named = first_variable(&facts->points_to.objects, set, set_n);
        if (named == set_n)
            continue; /* nothing that could be named, or only constants */
        uint32_t object = facts->points_to.objects.locations[set[named]].object;
        if (++object_n[object] > MOST_PER_PLACE) {
            w->more = true;
            continue;
        }
        list[n++] = (struct candidate){ access, hd_locks_must(&facts->locks, access->point),
                                        set[named] };
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i; k < n; k++)
            judge_pair(w, facts, 0, &list[i], &list[k]);
    free(list);
    free(object_n);
    free(joined);
}

/* ---- deadlocks ---- */

struct chain {
    const struct hd_lock_order *links[LONGEST_CYCLE];
    uint32_t n;
};

/* Each link in a thread of its own, none of them under a lock that the others hold too. */
static bool possible(struct hd_facts *facts, const struct chain *c, uint32_t *entries)
{
    struct hd_lockset common = hd_locks_must(&facts->locks, c->links[0]->point);
    for (uint32_t i = 1; i < c->n; i++) {
        struct hd_lockset held = hd_locks_must(&facts->locks, c->links[i]->point);
        for (unsigned k = 0; k < HD_LOCK_WORDS; k++)
            common.words[k] &= held.words[k];
    }
    for (uint32_t lock = 0; lock < facts->locks.n; lock++)
        if (hd_lockset_holds(&common, lock) && hd_locks_is_single(&facts->locks, lock))
            return false;
    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t other = (i + 1) % c->n, ignored;
        if (!two_threads(facts, c->links[i]->point, c->links[other]->point, &entries[i],
                         &ignored))
            return false;
    }
    return true;
}

static bool told_cycle(const struct hd_warnings *w, const struct hd_code *code,
                       const struct chain *c)
{
    for (uint32_t i = 0; i < w->n; i++) {
        uint32_t same = 0;
        if (w->items[i].kind != HD_WARNING_DEADLOCK || w->items[i].n_sites != c->n)
            continue;
        for (uint32_t k = 0; k < c->n; k++)
            for (uint32_t m = 0; m < c->n; m++)
                same += same_place(code, w->items[i].sites[m].point, c->links[k]->point);
        if (same >= c->n)
            return true;
    }
    return false;
}

static void tell_cycle(struct hd_warnings *w, struct hd_facts *facts, const struct chain *c)
{
    uint32_t entries[LONGEST_CYCLE] = { 0 };
    if (told_cycle(w, &facts->code, c) || !possible(facts, c, entries))
        return;
    struct hd_warning *warning = add(w, HD_WARNING_DEADLOCK);
    if (warning == NULL)
        return;
    for (uint32_t i = 0; i < c->n; i++)
        warning->sites[i] = (struct hd_warning_site){
            .point = c->links[i]->point,
            .entry = entries[i],
            .location = facts->locks.locations[c->links[i]->taken],
            .held = facts->locks.locations[c->links[i]->held],
        };
    warning->n_sites = c->n;
}

/* Cycles held -> taken = held -> taken …, each begun at its least lock. */
static void extend(struct hd_warnings *w, struct hd_facts *facts, struct chain *c)
{
    const struct hd_locks *locks = &facts->locks;
    const struct hd_lock_order *last = c->links[c->n - 1];
    if (last->taken == c->links[0]->held) {
        /* One thread alone, with one lock: only elements of an array, or objects of a kind. */
        if (c->n > 1 || !hd_locks_is_single(locks, last->taken))
            tell_cycle(w, facts, c);
        return;
    }
    if (c->n == LONGEST_CYCLE)
        return;
    for (uint32_t i = 0; i < locks->n_order && !w->more; i++) {
        const struct hd_lock_order *next = &locks->order[i];
        bool used = next->held < c->links[0]->held || next->held != last->taken;
        for (uint32_t k = 0; k < c->n; k++)
            used |= c->links[k]->held == next->held;
        if (used)
            continue;
        c->links[c->n++] = next;
        extend(w, facts, c);
        c->n--;
    }
}

static void find_deadlocks(struct hd_warnings *w, struct hd_facts *facts)
{
    for (uint32_t i = 0; i < facts->locks.n_order && !w->more; i++) {
        struct chain c = { .links = { &facts->locks.order[i] }, .n = 1 };
        if (hd_sharing_beside(&facts->sharing, c.links[0]->point))
            extend(w, facts, &c);
    }
}

void hd_warnings_init(struct hd_warnings *w, struct hd_facts *facts)
{
    *w = (struct hd_warnings){ 0 };
    find_deadlocks(w, facts);
    find_races(w, facts);
}

void hd_warnings_release(struct hd_warnings *w) { free(w->items); }
