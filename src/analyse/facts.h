/* All facts about a program, computed once. */
#ifndef HD_ANALYSE_FACTS_H
#define HD_ANALYSE_FACTS_H

#include "analyse/access.h"
#include "analyse/locks.h"
#include "analyse/sharing.h"
#include "analyse/threads.h"

struct hd_facts {
    struct hd_code code;
    struct hd_points_to points_to;
    struct hd_cfg cfg;
    struct hd_entries threads;
    struct hd_accesses accesses;
    struct hd_sharing sharing;
    struct hd_locks locks; /* hd_facts_add_locks() */
};

/* The module must not change, except that facts about a function that has not been changed yet
 * stay good. */
void hd_facts_init(struct hd_facts *facts, LLVMModuleRef module);
/* With another budget than the usual one for points-to sets. */
void hd_facts_init_within(struct hd_facts *facts, LLVMModuleRef module, uint64_t budget);

/* What instrumenting does not need. */
void hd_facts_add_locks(struct hd_facts *facts);

void hd_facts_release(struct hd_facts *facts);

#endif
