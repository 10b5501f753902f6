/* A world of arrays for tests of the explorer: no LLVM, no fibers.
 *
 * A thread is a list of steps on 64 bytes of memory, a few mutexes and conditions.  All threads
 * exist from the start, except those that a CREATE step names.  A thread ends with its list;
 * the run ends when all threads have ended.  What the explorer does with it is compared with
 * fake_world_enumerate(), which knows nothing of the explorer. */
#ifndef FAKE_WORLD_H
#define FAKE_WORLD_H

#include "explore/loop/explorer.h"

#define FAKE_MUTEXES 4
#define FAKE_CONDS 2
#define FAKE_MEMORY 64
#define FAKE_STEPS 16 /* of a thread */

#define FAKE_ADDRESS(offset) (0x1000ull + (uint64_t)(offset))
#define FAKE_MUTEX(i) (0x2000ull + 64ull * (uint64_t)(i))
#define FAKE_COND(i) (0x3000ull + 64ull * (uint64_t)(i))

enum fake_note { FAKE_PLAIN, FAKE_FAILS, FAKE_CRASHES };

struct fake_step {
    uint16_t op;      /* enum hd_op; not *_FAIL, BLOCKED, RELOCK, which follow from it */
    uint8_t object;   /* offset in memory; number of a mutex, condition or thread */
    uint8_t size;     /* MEM */
    uint8_t object2;  /* WAIT: the mutex */
    uint8_t value;    /* written into every byte; CAS: the desired byte */
    uint8_t expected; /* CAS: of every byte */
    uint8_t note;     /* enum fake_note: what happens when the byte read is `when` */
    uint8_t when;
};

struct fake_thread {
    uint32_t n;
    struct fake_step steps[FAKE_STEPS];
};

struct fake_program {
    uint32_t n_threads;
    struct fake_thread *threads;
};

struct fake_state {
    uint8_t memory[FAKE_MEMORY];
    uint8_t owner[FAKE_MUTEXES]; /* thread + 1; tests with mutexes have fewer than 255 threads */
    uint8_t pc[HD_MAX_THREADS];
    uint8_t standing[HD_MAX_THREADS]; /* enum fake_standing */
    uint32_t last;
};

/* Maximal runs, counted by plain recursion. */
struct fake_sums {
    uint64_t runs, traces, deadlocks, failures, crashes;
    uint64_t finals;             /* distinct memories at the end of good runs */
    uint64_t finals_hash;        /* xor over their hashes */
    uint64_t by_preemptions[64]; /* runs with so many */
};
void fake_enumerate(const struct fake_program *p, struct fake_sums *sums);

struct fake_world {
    const struct fake_program *program;
    bool restarts;          /* answers every REWIND with the root */
    uint64_t ends;          /* executions that came to an end here */
    uint64_t changes_after; /* nondeterminism: sites change after so many ends; 0: never */
    int32_t invariant_byte; /* memory[0] must not be this; -1: no invariant */
    uint64_t rewinds;
    struct fake_state state;
    struct fake_state *undo; /* states before the steps of the current execution */
    uint32_t depth, room;
    struct hd_config config;
    struct hd_action next[HD_MAX_THREADS];
    struct hd_world world;
    struct hd_finding crash; /* of a run that returned FAKE_CRASHED */
    uint64_t finals[512];    /* hashes of distinct memories at good ends */
    uint32_t n_finals;
    uint64_t schedules[4096]; /* hashes of the distinct schedules of executions that ended here */
    uint32_t n_schedules;
    bool repeated; /* one schedule was run to its end twice */
};

void fake_world_init(struct fake_world *w, const struct fake_program *p);
void fake_world_release(struct fake_world *w);

/* The memory that supervisor and worker share, with the explorer's arena after it: mapped, zeroed,
 * options for a plain depth-first search. */
struct hd_worker_memory *fake_shared_create(void);
void fake_shared_destroy(struct hd_worker_memory *shared);
struct hd_explorer *fake_explorer_create(struct hd_worker_memory *shared, struct fake_world *w);

enum fake_end { FAKE_STOPPED, FAKE_CRASHED };

/* Drive the explorer from the root, as world.h says, until it stops or the program crashes. */
enum fake_end fake_world_explore(struct fake_world *w, struct hd_explorer *ex);

/* Run a schedule: true when it can be run and ends in a failure or a deadlock, and nowhere
 * before. */
bool fake_world_fails(const struct fake_program *p, const uint32_t *steps, uint32_t n);

uint64_t fake_finals_hash(const struct fake_world *w);

/* A rig for a test: open, change shared->options and world, run, look, close. */
struct fake_rig {
    struct hd_worker_memory *shared;
    struct hd_explorer *ex;
    struct fake_world world;
};

void fake_rig_open(struct fake_rig *rig, const struct fake_program *p);
enum fake_end fake_rig_run(struct fake_rig *rig);
void fake_rig_close(struct fake_rig *rig);

/* A random program of 2 or 3 threads with reads, writes, compare-exchanges, locks, trylocks, waits,
 * signals and failures; `threads` has room for 3.  Of few enough runs to be enumerated. */
void fake_random_program(uint64_t seed, struct fake_thread *threads, struct fake_program *p);

#endif
