/* An execution graph: events in program order, for every read the write it reads from (rf), and
 * for every place the order of its writes (mo).  The first events are the initial writes, one
 * for each place, with the place's number. */
#ifndef AX_GRAPH_H
#define AX_GRAPH_H

#include "effect.h"
#include "rel.h"

#define AX_NOBODY 0xff /* the thread of an initial write */

struct ax_event {
    uint8_t thread, index; /* index: of the thread's events, from 0 */
    uint8_t statement, op; /* op: enum ax_op */
    uint8_t place;         /* of a read or a write */
    uint8_t kind, order;   /* AX_READ | AX_WRITE; enum ax_order */
    bool full;             /* a full barrier of an x86 */
    uint8_t from;          /* rf, of a read */
    int32_t reads, writes;
    uint8_t choice;
};

struct ax_graph {
    const struct ax_program *p;
    uint32_t n;
    struct ax_event e[AX_EVENTS];
    uint8_t last[AX_THREADS]; /* the thread's newest event, or the last initial write */
    uint8_t count[AX_THREADS];
    struct ax_cpu cpu[AX_THREADS];
    uint8_t n_mo[AX_PLACES];
    uint8_t mo[AX_PLACES][AX_EVENTS];
};

/* What the axioms speak of.  All but mo, fr and eco follow from program order and rf alone. */
struct ax_orders {
    ax_set reads, writes, locations, fences, seq_cst;
    struct ax_rel po, loc, rf, sw, hb; /* loc: one place; po: the initial writes first */
    struct ax_rel mo, fr, eco;
};

void ax_graph_init(struct ax_graph *g, const struct ax_program *p);

/* The next event of the thread, which reads from `from` where it reads.  The caller has looked
 * that it runs, and that there is room. */
void ax_graph_append(struct ax_graph *g, uint32_t thread, const struct ax_effect *effect,
                     uint8_t from);

/* Whether the event has woken the thread, which stands before AX_LEAVE or AX_PASS: those read
 * from the event that has. */
bool ax_wakes(const struct ax_graph *g, uint32_t thread, uint32_t event);

/* Whether the event is one of those.  It may come later than writes behind the one that has
 * woken the thread, so it is before none of them (fr). */
static inline bool ax_is_woken(const struct ax_event *e)
{
    return e->op == AX_LEAVE || e->op == AX_PASS;
}

/* Whether the event is the first arrival of a round: what was released to earlier rounds is not
 * for those who leave this one. */
static inline bool ax_begins_round(const struct ax_graph *g, uint32_t event)
{
    const struct ax_event *e = &g->e[event];
    return e->op == AX_ARRIVE && e->reads == g->p->places[e->place].initial;
}

/* Fills everything but mo, fr and eco from the graph; ax_orders_mo fills those. */
void ax_orders(const struct ax_graph *g, struct ax_orders *o);
void ax_orders_mo(const struct ax_graph *g, struct ax_orders *o);

/* Whether these two events race: by different threads, of one location, one writes, one is
 * plain, and neither happens before the other. */
bool ax_races(const struct ax_graph *g, const struct ax_orders *o, uint32_t a, uint32_t b);

/* The graph as one line, the same for equal graphs in whatever order they were built. */
void ax_graph_line(const struct ax_graph *g, FILE *out);

/* The registers and the memory at its end, as one line. */
void ax_final_line(const struct ax_graph *g, FILE *out);

/* The value of the k-th part of ax_final_line, registers first; false: there are fewer. */
bool ax_final_value(const struct ax_graph *g, uint32_t k, int32_t *value);

/* Whether it ends as the program's `exists` asks. */
bool ax_final_exists(const struct ax_graph *g);

#endif
