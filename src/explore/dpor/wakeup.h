/* Wakeup trees (Abdulla, Aronis, Jonsson, Sagonas 2014, Definition 5.1 ff.): at every node of
 * the path an ordered tree of sequences that are to be explored from there.
 *
 * A tree is a list of branches, each a step with the list of branches below it; nodes come from
 * a pool and go back to it when their branch has been taken. */
#ifndef HD_EXPLORE_DPOR_WAKEUP_H
#define HD_EXPLORE_DPOR_WAKEUP_H

#include "core/action.h"
#include "core/arena.h"

#define HD_NO_BRANCH 0u

struct hd_pack;

struct hd_branch {
    struct hd_action action; /* as far as known: an outcome may still change */
    uint16_t thread;
    bool loose;      /* later sequences may be added below it though it has no branches */
    uint32_t chosen; /* the waiter of a signal, or the choice */
    uint32_t below;  /* first branch below, HD_NO_BRANCH */
    uint32_t next;   /* next branch beside, HD_NO_BRANCH */
};

struct hd_wakeup {
    struct hd_arena *arena;
    struct hd_branch *pool;
    uint32_t n, cap, free, live, most;
    uint32_t *trees; /* by depth: the first branch that is not taken yet */
};

bool hd_wakeup_init(struct hd_wakeup *w, struct hd_arena *arena);

/* Room for n more branches without moving the pool. */
bool hd_wakeup_grow(struct hd_wakeup *w, uint32_t n);
HD_HOT bool hd_wakeup_reserve(struct hd_wakeup *w, uint32_t n)
{
    return __builtin_expect(w->cap && w->n + n <= w->cap, 1) || hd_wakeup_grow(w, n);
}

uint32_t hd_wakeup_new(struct hd_wakeup *w);

/* Take the first branch of `thread` with `chosen` out of the tree at `depth`.  The branches
 * below it become the tree at depth + 1 (none, if there is no such branch). */
void hd_wakeup_descend(struct hd_wakeup *w, uint32_t depth, uint32_t thread, uint32_t chosen);

/* The same for any list; returns the branches below the one that was taken out. */
uint32_t hd_wakeup_unlink(struct hd_wakeup *w, uint32_t *link, uint32_t thread, uint32_t chosen);

/* hd_wakeup_descend() where nothing is left at depth + 1 and the first branch is the one: false
 * if it is not so. */
HD_HOT bool hd_wakeup_descend_first(struct hd_wakeup *w, uint32_t depth, uint32_t thread,
                                    uint32_t chosen)
{
    uint32_t *trees = &w->trees[depth], first = trees[0];
    struct hd_branch *b = &w->pool[first];
    if (trees[1] || !first || b->thread != thread || b->chosen != chosen)
        return false;
    trees[0] = b->next;
    trees[1] = b->below;
    b->next = w->free;
    w->free = first;
    w->live--;
    return true;
}

/* Is `action`, of another thread, dependent with the first step of the list's first branch that
 * `thread` begins?  The outcome of an attempt is not known yet: an attempt counts as
 * independent. */
bool hd_wakeup_wakes(const struct hd_wakeup *w, uint32_t list, uint32_t thread,
                     const struct hd_action *action);

/* A copy in `to` of a whole list of `from`.  False, and *copy is HD_NO_BRANCH, when memory is
 * used up. */
bool hd_wakeup_copy(struct hd_wakeup *to, const struct hd_wakeup *from, uint32_t list,
                    uint32_t *copy);

/* A list in a work unit (filter.h); reading gives a new one. */
void hd_wakeup_pack_list(struct hd_wakeup *w, struct hd_pack *p, uint32_t *list);

/* The trees at nodes [0, n_nodes) of the path. */
void hd_wakeup_pack(struct hd_wakeup *w, uint32_t n_nodes, struct hd_pack *p);

/* Return the whole list to the pool. */
void hd_wakeup_drop(struct hd_wakeup *w, uint32_t branch);

#endif
