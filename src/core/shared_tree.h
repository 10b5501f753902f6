/* The memory that all workers of one exploration share with the supervisor, when there are
 * several (docs/design/004-jobs.md): the tree of nodes that they share.  It is one file
 * descriptor, mapped by every worker at HD_TREE_BASE; the supervisor sees the head alone. */
#ifndef HD_CORE_SHARED_TREE_H
#define HD_CORE_SHARED_TREE_H

#include "core/worker_memory.h"

#define HD_MAX_JOBS 256
#define HD_MAX_UNITS (2 * HD_MAX_JOBS)

/* A work unit (explore/jobs/unit.h) that lies in this memory, for any worker to take. */
struct hd_waiting_unit {
    uint64_t at;    /* from the begin of the memory */
    uint64_t bytes; /* 0: none, the room may be used */
    uint64_t room;
};

/* The holder of the lock: 0 for none, otherwise the worker's number + 1; HD_TREE_WANTED: others
 * sleep until it is free. */
#define HD_TREE_WANTED 0x80000000u

struct hd_shared_tree_head {
    uint32_t lock;
    uint32_t changed;  /* counts; workers without work sleep on it */
    uint32_t hungry;   /* how many have no work */
    uint32_t offered;  /* something was given since one of them last looked */
    uint32_t small;    /* how often in a row awaited parts were too small */
    uint32_t begun;    /* worker 0 has executed the program once: the others may start */
    uint32_t n_parked; /* threads that it had prepared then (options.n_parked) */
    uint32_t stop;     /* end the exploration at the next execution */
    uint32_t finished;
    uint32_t raced;     /* a worker has found a data race */
    uint32_t n_threads; /* names of threads are given once for all workers */
    struct hd_thread_name threads[HD_MAX_THREADS];
    uint64_t parts, executions; /* the last of those parts, and their executions */
    uint32_t n_units, n_slots;  /* units that wait; of units[], how many have been used */
    struct hd_waiting_unit units[HD_MAX_UNITS];
    uint64_t reserved; /* bytes at the end of the memory that the supervisor has filled
                                   with units */
    uint64_t counted;  /* complete executions, while options.max_executions is set */
    struct {           /* by worker; apart, because each writes its own all the time */
        _Alignas(64) uint64_t begun;
    } workers[HD_MAX_JOBS];
};

#endif
