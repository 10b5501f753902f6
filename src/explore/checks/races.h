/* Data races: two threads access one byte of memory, one of them writes it, one by no atomic
 * operation, and neither access happens before the other (sync_order.h). checks/races.c
 * explains why no race is missed. */
#ifndef HD_EXPLORE_CHECKS_RACES_H
#define HD_EXPLORE_CHECKS_RACES_H

#include "explore/loop/explorer.h"
#include "explore/order/access_order.h"
#include "explore/order/hb.h"
#include "explore/order/lock_sets.h"
#include "explore/order/mixed.h"
#include "explore/order/sync_order.h"

struct hd_races {
    bool by_state;     /* looks at the next actions in every state, not at races of events */
    bool at_nodes;     /* looks at the next actions in the states that are visited */
    struct hd_hb *own; /* kept here when no filter keeps one; NULL */
    struct hd_sync_order *order; /* NULL: nothing has been executed that asks for it */
    /* Of a search over graphs, the same by the clocks of the graph, as long as they tell
     * (clock_races.c); NULL: they do not. */
    struct hd_access_order *by_clocks;
    uint32_t looked; /* steps of the path whose pairs have been reported */
    bool silent;     /* pairs are kept in `pairs`, and not reported */
    /* The pairs that were found, as a set of bits of their hashes: some are found more than
     * once, one time for each cell that they share. */
    uint64_t pairs[4];
    struct hd_lock_sets *sets; /* of a search over states; NULL */
    bool lacks_sets; /* they are not kept before something orders less than it seems to */
    bool compares;   /* there may be compare-exchanges, of memory that is */
    /* There is more than neighbours to look at, or more than n_looked to undo, even if nothing
     * has been executed that asks for `order`. */
    bool keeps_more;
    bool goes_back; /* something else than neighbours has been looked at, or is kept */
    struct hd_mixed mixed;
    uint32_t mixed_looked; /* steps of the path that have been looked at for that */
    uint64_t *known;       /* pairs of sites, a hash table; 0: free */
    uint32_t n_known;
    uint32_t n_recorded;
    struct hd_regions *regions; /* of a search over graphs (regions.c); NULL */
    /* Of a search over graphs, at the end of an execution: steps that break the program, before
     * which threads stand. */
    struct hd_broken_step {
        uint32_t thread;
        uint32_t until; /* it can be made after so many steps of the path at the latest */
        struct hd_action action;
    } broken[HD_MAX_THREADS];
    uint64_t n_looked; /* the first of the races of events, that have been looked at */
};

/* Where each thread has made accesses.  As long as no plain access of one thread lies in the
 * region of another thread's accesses, there is no race: happens-before need not be known. */
struct hd_region {
    uint64_t begin, end;
};

struct hd_regions {
    struct hd_region any[HD_MAX_THREADS], plain[HD_MAX_THREADS];
    uint32_t n;    /* threads */
    uint32_t seen; /* steps of the path that they hold */
    bool meet;     /* a plain access may race */
};

/* Steps of the path have been made; may there be a race? */
bool hd_regions_meet(struct hd_regions *r, const struct hd_path *path);

/* Of a search over graphs: a structure that reports unordered pairs by the graph's clocks, or
 * NULL.  Steps of the path have been made: report those that it finds.  False: the clocks do
 * not tell. */
struct hd_access_order *hd_clock_races_create(struct hd_explorer *ex,
                                              void (*unordered)(void *self, uint32_t early,
                                                                uint32_t late));
bool hd_clock_races_look(struct hd_races *r, struct hd_explorer *ex);

/* Pairs that happens-before does not order and that are refused (refused_pairs.c): a race of
 * which tso does not know the outcomes; one access of an atomic section; a call that may touch
 * a mapped file, if one of the two is such a call.  Was a step made in an atomic section? */
void hd_races_refuse_outcomes(struct hd_explorer *ex, const struct hd_action *a,
                              const struct hd_action *b);
void hd_races_refuse_section(struct hd_explorer *ex, const struct hd_action *a,
                             const struct hd_action *b);
bool hd_races_refuse_call(struct hd_explorer *ex, const struct hd_action *a,
                          const struct hd_action *b);
bool hd_races_inside(const struct hd_explorer *ex, uint32_t step);

/* Does the action touch memory? */
HD_HOT bool hd_races_of_memory(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_MEM || a->object2;
}

/* Events of the order `hb`, of which the later does not happen after the earlier but by the
 * pair itself: are they a race?  Nothing is done where races are not looked for. */
void hd_races_between(struct hd_explorer *ex, struct hd_hb *hb, uint32_t early, uint32_t late);

#endif
