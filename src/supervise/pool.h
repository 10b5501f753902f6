/* The units that wait at a leader of a distributed search (leader.h): which is explored
 * next, and for how long.
 *
 * A unit holds the path to its root, so the number of its bytes tells how near it is to the
 * root of the tree, and nearer ones are larger as a rule.  While few wait, the nearest is
 * taken, which makes many of one.  While many wait, the farthest is taken, which is soon
 * through, so that the pool does not grow. */
#ifndef HD_SUPERVISE_POOL_H
#define HD_SUPERVISE_POOL_H

#include <stdint.h>

#define HD_POOL_CLASSES 4096 /* of sizes, HD_POOL_STEP bytes each */
#define HD_POOL_STEP 16
#define HD_POOL_MANY 4 /* units for each rank */
#define HD_POOL_LEAST_SECONDS 0.1

struct hd_pool {
    uint64_t n;
    struct hd_pool_class {
        void **units;
        uint64_t n, room;
    } classes[HD_POOL_CLASSES];
};

void hd_pool_release(struct hd_pool *pool);
void hd_pool_add(struct hd_pool *pool, void *unit, uint64_t bytes);
void *hd_pool_take(struct hd_pool *pool, uint32_t ranks); /* NULL: it is empty */
void *hd_pool_nearest(struct hd_pool *pool);              /* to the root; likewise */

/* How many units rank 0 makes before it hands any out. */
uint32_t hd_pool_first_units(uint32_t ranks);

/* Seconds after which a unit that is handed out now is cut: one for each unit that waits per
 * rank, at least a tenth and at most 60.  Where few wait, what is being explored is soon
 * shared. */
double hd_pool_seconds(const struct hd_pool *pool, uint32_t ranks);

#endif
