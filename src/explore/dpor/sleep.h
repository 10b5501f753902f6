/* Sleep sets (Godefroid): threads whose next action need not be tried here, because everything
 * that starts with it has been explored from an ancestor and only independent steps lie
 * between.
 *
 * All choices of a thread's action are explored one after the other, so a thread is asleep as a
 * whole.  Sleeping threads do not run: their action is the one they fell asleep with.  Its
 * outcome (a compare-exchange that would fail) is remembered, since a later look would see
 * another state.
 *
 * A step that breaks the program ends all threads: it is dependent with everything, so its
 * thread does not fall asleep after it. */
#ifndef HD_EXPLORE_DPOR_SLEEP_H
#define HD_EXPLORE_DPOR_SLEEP_H

#include "explore/loop/explorer.h"

struct hd_pack;

struct hd_sleep {
    struct hd_tset *asleep;  /* by depth */
    struct hd_tset *wakeful; /* by depth: threads whose step from here broke the program */
    struct hd_tset
        *failed;   /* by depth: of the threads asleep or done here, whose action would fail */
    uint32_t high; /* at greater depths all three are empty */
};

/* The sets of that depth are about to get an element. */
HD_HOT void hd_sleep_note(struct hd_sleep *sleep, uint32_t depth)
{
    sleep->high = sleep->high > depth ? sleep->high : depth;
}

/* A node that belongs to all workers (filter.h). */
struct hd_shared_tree_node;
void hd_sleep_share(const struct hd_sleep *sleep, const struct hd_explorer *ex, uint32_t depth,
                    struct hd_shared_tree_node *node);
void hd_sleep_adopt(struct hd_sleep *sleep, const struct hd_explorer *ex, uint32_t depth,
                    const struct hd_shared_tree_node *node, bool anew);

/* Write the sets of the path into a work unit, or read them (filter.h). */
void hd_sleep_pack(struct hd_sleep *sleep, const struct hd_explorer *ex, struct hd_pack *p);

bool hd_sleep_init(struct hd_sleep *sleep, struct hd_arena *arena);

/* The taken alternative of node `depth` is about to run: compute which threads are asleep after
 * it.  Mostly there are none.  `may_fail`: it may be an attempt that has failed
 * (hd_op_failed). */
void hd_sleep_any_ran(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t depth);
HD_HOT void hd_sleep_ran(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t depth,
                         uint32_t thread, bool may_fail)
{
    if (ex->path.nodes[depth].taken || sleep->asleep[depth].w[0] || may_fail ||
        ex->world.config->n_threads > 64) {
        hd_sleep_any_ran(sleep, ex, depth);
        return;
    }
    sleep->failed[depth].w[0] &= ~(1ull << thread);
    hd_tset_clear(
        &sleep->asleep[depth + 1]); /* `failed` is read of sleeping and explored threads only */
}

/* The execution is over; `finding` is what ended it, or NULL. */
void hd_sleep_ended(struct hd_sleep *sleep, struct hd_explorer *ex,
                    const struct hd_finding *finding);

/* Threads asleep at node `depth`, with those explored there already: before the taken one. */
struct hd_tset hd_sleep_at(const struct hd_sleep *sleep, const struct hd_explorer *ex,
                           uint32_t depth);

/* The same for up to 64 threads, by bit; `now` is that of the taken one. */
HD_HOT uint64_t hd_sleep_word(const struct hd_sleep *sleep, const struct hd_explorer *ex,
                              uint32_t depth, uint32_t now)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint64_t done = 0;
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t i = 0; i < node->taken; i++)
        done |= 1ull << HD_STEP_THREAD(alts[i]);
    return (sleep->asleep[depth].w[0] | (done & ~sleep->wakeful[depth].w[0])) & ~(1ull << now);
}

/* Is the thread one of hd_sleep_at()? */
HD_RARE bool hd_sleep_has(const struct hd_sleep *sleep, const struct hd_explorer *ex,
                          uint32_t depth, uint32_t thread);

/* Move the alternatives that are awake to the front, and return their number. */
uint32_t hd_sleep_admit(struct hd_sleep *sleep, struct hd_explorer *ex, uint32_t *alts,
                        uint32_t n);

#endif
