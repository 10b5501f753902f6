/* Which actions depend on each other, and which of them race. */
#ifndef HD_CORE_DEPENDENCE_H
#define HD_CORE_DEPENDENCE_H

#include "core/action.h"

bool hd_action_overlaps(const struct hd_action *a, const struct hd_action *b);

/* May the order of the two matter?  The one dependence relation (SCALE Def. 9, refined: memory
 * conflicts only on overlapping bytes, assertions are no actions).  Symmetric.  Actions of one
 * thread are always dependent; the caller knows the threads. */
HD_HOT bool hd_action_dependent(const struct hd_action *a, const struct hd_action *b)
{
    uint32_t mine = hd_op_class[a->op], theirs = hd_op_class[b->op];
    if (!mine || !theirs || (a->object2 | b->object2))
        return hd_action_overlaps(a, b);
    if ((mine ^ theirs) > 1 || !((mine | theirs) & 1)) /* another space, or both read */
        return false;
    if (mine >> 1 != HD_SPACE_MEM)
        return a->object == b->object;
    if (a->object < b->object + b->size && b->object < a->object + a->size)
        return __builtin_expect(!a->size2, 1) || a->size2 >= HD_WATCHED_WRITE ||
               hd_action_commuting(a) != hd_action_commuting(b);
    return __builtin_expect((a->size2 & b->size2) >> 31 & mine & theirs, 0);
}

/* Is it a data race when two threads stand before a and b at the same time? Both touch one byte
 * of memory, one of them writes it, and one of them is no atomic operation; or one ends the
 * memory of a synchronisation object that the other uses.  at[], when given: where the two
 * ranges of memory begin. */
bool hd_action_race(const struct hd_action *a, const struct hd_action *b, uint64_t at[2]);

#endif
