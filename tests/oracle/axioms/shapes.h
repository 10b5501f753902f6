/* The litmus shapes of the literature, with every order in every place.
 *
 * The text of a shape is a program in which $W, $R stand for the order of a store or a load and
 * a line $F for a fence or none.  A shape asks for the one outcome that sequential consistency
 * forbids. */
#ifndef AX_SHAPES_H
#define AX_SHAPES_H

#include "program.h"

#define AX_SLOTS 12

struct ax_shape {
    const char *name, *text;
    /* Whether TSO shows the outcome when all accesses are relaxed and there is no fence, and
     * whether RC11 forbids it when all are relaxed, or release and acquire. */
    bool tso_shows, relaxed_forbids, acq_rel_forbids;
    /* Whether RC11 forbids the outcome, in closed form: the orders in the order of the text,
     * AX_PLAIN for no fence.  NULL where only the axioms say it. */
    bool (*forbids)(const uint8_t *slot);
};

/* Ended by one without a name. */
extern const struct ax_shape ax_shapes[];

/* The kinds of its slots, W, R or F, as a string. */
void ax_shape_slots(const struct ax_shape *s, char kinds[AX_SLOTS + 1]);

/* The index-th combination of orders; false: there are fewer.  All are there if they are at
 * most 8,000; otherwise all orders of the accesses without fences, and all fences with accesses
 * that are all relaxed, all release and acquire, or all seq_cst. */
bool ax_shape_orders(const struct ax_shape *s, uint32_t index, uint8_t slot[AX_SLOTS]);

/* The program with these orders. */
void ax_shape_put(const struct ax_shape *s, const uint8_t slot[AX_SLOTS], FILE *out);

/* Programs with one verdict each, from papers. */
struct ax_classic {
    const char *name, *text;
    bool shows[3]; /* by enum ax_model */
};
extern const struct ax_classic ax_classics[];

#endif
