/* Which thread should slice-n-dice add next?  (Noonan's thesis leaves that open: 3.7.2.)
 *
 * One run without interleaving shows what every thread reads and writes, and under which locks.
 * A thread that writes what the unreached places wait for ranks higher than one that does not.
 * Highest is one that does so in conflict with another thread, without a common lock and
 * without an order by creation or joining: there both orders are possible.
 *
 * How many are needed?  If such a conflict is with a thread that is there already, one more may
 * do; if all are between two that are not, it takes both.  Where a read is compared with a
 * number, and the run shows by how much every thread changes the value, it takes as many
 * threads as make the comparison come out the other way. */
#ifndef HD_STRATEGY_DICE_RANK_H
#define HD_STRATEGY_DICE_RANK_H

#include "analyse/query_dice.h"
#include "core/dice.h"
#include "supervise/supervise.h"

struct hd_rank;

/* Make a ranking from the log of a run, which is not needed afterwards. */
struct hd_rank *hd_rank_create(const struct hd_run *run);
void hd_rank_destroy(struct hd_rank *rank);

enum hd_worth { HD_WORTH_NOTHING, HD_WORTH_WRITES, HD_WORTH_PAIR, HD_WORTH_CONFLICT };

struct hd_ranking {
    uint8_t worth[HD_MAX_THREADS];  /* enum hd_worth */
    uint32_t other[HD_MAX_THREADS]; /* HD_WORTH_PAIR: the thread that it takes, too */
};

/* `wanted`: by site, a bit per kind: reads of threads inside that decide a branch. */
void hd_rank_threads(const struct hd_rank *rank, const struct hd_dice *dice,
                     const uint64_t *wanted, struct hd_ranking *ranking);

/* How many of the threads list[0 .. n) are needed to change the result of one of the
 * comparisons; 1 when that is not known. */
uint32_t hd_rank_needed(const struct hd_rank *rank, const struct hd_dice *dice,
                        const struct hd_refined *refined, const uint32_t *list, uint32_t n);

#endif
