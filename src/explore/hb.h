/* Happens-before: a vector clock per event of the current execution, computed once per step.
 *
 * Clocks live in events only.  An object knows its last write and, through a chain of events, the
 * reads since then; so a step costs the clocks it really follows, and undoing it two words per
 * object.
 *
 * clock(e)[t] is the number of events of thread t that happen before e, or are e. */
#ifndef HD_EXPLORE_HB_H
#define HD_EXPLORE_HB_H

#include "explore/cells.h"

#define HD_NO_EVENT 0xffffffffu

struct hd_hb_object {
    uint32_t write; /* last event that wrote it */
    uint32_t read;  /* newest event that read it since; they are chained */
};

struct hd_hb_undo { /* one per object touched; by address, as the cell may be split later */
    uint64_t addr;
    uint32_t len;
    struct hd_hb_object was; /* was.read: for a read, the read before it */
};

struct hd_hb {
    struct hd_arena *arena;
    struct hd_cells cells;
    struct hd_hb_object *objects; /* by cell */
    uint32_t objects_cap;
    uint32_t *clocks; /* [depth][HD_MAX_THREADS] */
    struct hd_hb_event {
        uint32_t thread;
        uint32_t before; /* the thread's event before; HD_NO_EVENT */
        uint32_t all;    /* last_all before this event */
        uint64_t undo;   /* its first entry in `undo` */
        uint64_t hash;   /* of the event: thread, operation, clock */
    } *events;
    struct hd_hb_undo *undo;
    uint64_t n_undo, undo_cap;
    uint32_t last[HD_MAX_THREADS]; /* newest event by thread */
    uint32_t last_all;             /* newest event that conflicts with everything */
    uint32_t n_threads;
    uint32_t depth;
    bool full; /* memory is used up: clocks are no longer right */
};

bool hd_hb_init(struct hd_hb *hb, struct hd_arena *arena);
void hd_hb_ran(struct hd_hb *hb, uint32_t thread, const struct hd_action *action, uint32_t chosen);
void hd_hb_back(struct hd_hb *hb, uint32_t depth);

static inline const uint32_t *hd_hb_clock(const struct hd_hb *hb, uint32_t event)
{
    return hb->clocks + (uint64_t)event * HD_MAX_THREADS;
}

/* Does event a happen before event b (a != b)? */
static inline bool hd_hb_before(const struct hd_hb *hb, uint32_t a, uint32_t b)
{
    uint32_t t = hb->events[a].thread;
    return hd_hb_clock(hb, b)[t] >= hd_hb_clock(hb, a)[t];
}

/* A hash of the graph of the current execution: equal for equivalent executions. */
void hd_hb_graph_hash(const struct hd_hb *hb, uint64_t out[2]);

#endif
