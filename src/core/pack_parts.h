/* What many structures in work units and results consist of, as bytes (core/pack.h). */
#ifndef HD_CORE_PACK_PARTS_H
#define HD_CORE_PACK_PARTS_H

#include "core/pack.h"
#include "core/tset.h"

/* Of work units (explore/jobs/unit.h) and results (core/worker_pack.h): a reader knows one. */
#define HD_UNIT_VERSION 11

/* Names of the parts of a unit. */
enum {
    HD_UNIT_EXPLORER = 1,
    HD_UNIT_PATH,
    HD_UNIT_SEARCH,
    HD_UNIT_CHECKS,
    HD_UNIT_SPLIT,
    HD_UNIT_TREE,
    HD_UNIT_WHOLE, /* a whole search follows, */
    HD_UNIT_PART,  /* or what one worker gives to another */
    HD_UNIT_END,
    HD_UNIT_GRAPH,       /* instead of the path, of a search over graphs */
    HD_UNIT_FILTER = 64, /* and its index */
};

void hd_pack_action(struct hd_pack *p, struct hd_action *action);
void hd_pack_step(struct hd_pack *p, uint32_t *step); /* HD_STEP_PACK */
void hd_pack_thread(struct hd_pack *p, uint32_t *thread);
void hd_pack_set(struct hd_pack *p, struct hd_tset *set);
void hd_pack_words(struct hd_pack *p, uint64_t *words, uint64_t n); /* eight bytes each */

#endif
