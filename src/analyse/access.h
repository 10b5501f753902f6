/* What instructions do to memory and to synchronisation objects: every access of the program,
 * by point. */
#ifndef HD_ANALYSE_ACCESS_H
#define HD_ANALYSE_ACCESS_H

#include "analyse/points_to.h"

enum hd_sync_kind {
    HD_SYNC_NONE,
    HD_SYNC_LOCK,
    HD_SYNC_LOCK_SHARED, /* as a reader */
    HD_SYNC_TRY,         /* may take the lock, or not */
    HD_SYNC_TRY_SHARED,
    HD_SYNC_UNLOCK,
    HD_SYNC_WAIT,  /* on a condition, releasing a mutex meanwhile */
    HD_SYNC_BLOCK, /* semaphores, barriers, once */
    HD_SYNC_WAKE,
    HD_SYNC_CREATE,
    HD_SYNC_JOIN,
    HD_SYNC_OBJECT, /* init, destroy, … */
    HD_SYNC_OTHER,  /* visible, but touches no object of the program */
    HD_SYNC_QUIET,  /* likewise, and a thread may pass without stopping there */
};

struct hd_sync {
    enum hd_sync_kind kind;
    int object, second; /* arguments; -1: none */
};

/* What a library function of that name does; HD_SYNC_NONE: nothing of the kind. */
struct hd_sync hd_sync_find(const char *name);

enum {
    HD_MEM_READ = 1,
    HD_MEM_WRITE = 2,
    HD_MEM_ATOMIC = 4,
    HD_MEM_SYNC = 8,     /* by a synchronisation function, of its own object */
    HD_MEM_OUTSIDE = 16, /* by unknown code: any escaped object */
    HD_MEM_SHARED = 32,  /* two threads may meet here (facts.c) */
};

struct hd_mem_access {
    LLVMValueRef pointer; /* NULL for HD_MEM_OUTSIDE */
    uint64_t bytes;       /* 0: not known */
    uint32_t point;
    uint32_t node; /* of the pointer */
    uint32_t flags;
    uint32_t arg; /* of a call */
};

struct hd_accesses {
    struct hd_mem_access *items; /* by point */
    uint32_t n, room;
    uint32_t *first; /* of point i: items[first[i] .. first[i + 1]) */
    uint8_t *sync;   /* by point: enum hd_sync_kind */
};

void hd_accesses_init(struct hd_accesses *a, struct hd_points_to *p);
void hd_accesses_release(struct hd_accesses *a);

/* May the two accesses touch the same byte? */
bool hd_accesses_meet(struct hd_points_to *p, const struct hd_mem_access *a,
                      const struct hd_mem_access *b);

/* What a synchronising call works on: the locations of its object, or of its second one. */
const uint32_t *hd_accesses_objects(struct hd_points_to *p, uint32_t point, bool second,
                                    uint32_t *n);

#endif
