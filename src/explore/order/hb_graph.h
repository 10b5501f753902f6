/* The incremental representation of states (SCALE 5.3.4), exact.
 *
 * A happens-before graph is a set of extended actions: the thread, the index of the action
 * in its thread, the operation, and for every object touched the number of writes to it so
 * far.  Each thread's part of the set is a sequence, so a graph is one sequence per thread;
 * equal sequences get equal ids (interned, compared in full), and a state is the tuple of
 * the threads' ids.
 *
 * The hash-only variant keeps the xor over the extended actions' hashes instead, as the
 * thesis does.
 *
 * Deviations: objects are byte ranges (cells.h); a failed trylock or compare-exchange is a
 * read; the chosen waiter is part of a signal's action. */
#ifndef HD_EXPLORE_ORDER_HB_GRAPH_H
#define HD_EXPLORE_ORDER_HB_GRAPH_H

#include "core/worker_memory.h"
#include "explore/order/cells.h"

#define HD_LABEL_WORDS 65536 /* the longest extended action, of a huge copy */

struct hd_hb_graph {
    struct hd_arena *arena;
    struct hd_cells cells;
    uint32_t *writes; /* by cell: how often written */
    uint32_t writes_cap;
    uint32_t all_before; /* actions that conflict with everything, so far */
    bool exact;          /* sequences are interned; otherwise only xor_hash is kept */
    bool full;           /* memory is used up: ids are no longer unique, nothing matches */
    /* interned sequences: node i is (parent, label) */
    struct hd_sequence {
        uint32_t parent;
        uint32_t label_words;
        uint64_t label; /* index into labels */
    } *nodes;
    uint32_t n_nodes, nodes_cap;
    uint32_t *table;
    uint32_t table_size;
    uint64_t *labels;
    uint64_t n_labels, labels_cap;
    uint32_t n_threads;             /* no thread from here on has ever made a step */
    uint32_t now[HD_MAX_THREADS];   /* by thread: id of its sequence; 0: empty */
    uint32_t steps[HD_MAX_THREADS]; /* by thread: actions done */
    uint64_t xor_hash;
    uint32_t *before;      /* by depth: now[thread] before the step */
    uint64_t *hash_before; /* by depth: xor_hash before the step */
    uint32_t depth;
    uint64_t scratch[HD_LABEL_WORDS];
};

bool hd_hb_graph_init(struct hd_hb_graph *h, struct hd_arena *arena, bool exact);

/* Write the sequences into a work unit, or read them (loop/filter.h), without the state of the
 * path. */
struct hd_pack;
void hd_hb_graph_pack(struct hd_hb_graph *h, struct hd_pack *p);

/* The id that the thread's sequence would get by doing `action` now; 0 when there is no such
 * sequence yet and `make` is false, or memory is used up, or the graph is not exact.  `*hash`
 * is the hash of the extended action. */
uint32_t hd_hb_graph_extend(struct hd_hb_graph *h, uint32_t thread,
                            const struct hd_action *action, uint32_t chosen, bool make,
                            uint64_t *hash);

/* The thread does `action`: now the current state is the extended one. */
void hd_hb_graph_ran(struct hd_hb_graph *h, uint32_t thread, const struct hd_action *action,
                     uint32_t chosen);

/* A thread takes a step that is in no graph; undo such a step. */
void hd_hb_graph_pass(struct hd_hb_graph *h);
void hd_hb_graph_unpass(struct hd_hb_graph *h);

/* Undo the last step, which is given. */
void hd_hb_graph_back(struct hd_hb_graph *h, uint32_t thread, const struct hd_action *action);

#endif
