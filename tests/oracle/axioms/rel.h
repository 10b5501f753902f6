/* Relations over at most 64 events, as bit matrices: row a has bit b when (a, b) is in the
 * relation. Sets of events are words.  Everything is by value and by definition; nothing is
 * incremental. */
#ifndef AX_REL_H
#define AX_REL_H

#include <stdbool.h>
#include <stdint.h>

#define AX_EVENTS 64

typedef uint64_t ax_set;

struct ax_rel {
    ax_set row[AX_EVENTS];
};

static inline ax_set ax_bit(uint32_t event) { return (ax_set)1 << event; }
static inline bool ax_in(ax_set s, uint32_t event) { return s >> event & 1; }
static inline bool ax_has(const struct ax_rel *r, uint32_t a, uint32_t b)
{
    return ax_in(r->row[a], b);
}
static inline void ax_add(struct ax_rel *r, uint32_t a, uint32_t b) { r->row[a] |= ax_bit(b); }

/* The functions look at the first n events only; to may be one of the arguments. */
void ax_empty(struct ax_rel *to);
void ax_union(struct ax_rel *to, const struct ax_rel *more, uint32_t n); /* to = to ∪ more */
void ax_compose(struct ax_rel *to, const struct ax_rel *a, const struct ax_rel *b, uint32_t n);
void ax_inverse(struct ax_rel *to, const struct ax_rel *a, uint32_t n);
void ax_reflexive(struct ax_rel *to, uint32_t n); /* to = to? */
void ax_closure(struct ax_rel *to, uint32_t n);   /* to = to⁺, by Warshall */
void ax_restrict(struct ax_rel *to, ax_set from, ax_set into,
                 uint32_t n); /* [from] ; to ; [into] */
bool ax_irreflexive(const struct ax_rel *r, uint32_t n);
bool ax_acyclic(const struct ax_rel *r, uint32_t n);

#endif
