/* The byte ranges an action touches, with the spaces laid side by side in one address range:
 * memory as it is, every synchronisation object and thread as eight bytes of its own. */
#ifndef HD_CORE_TOUCH_H
#define HD_CORE_TOUCH_H

#include "core/action.h"
#include "core/enabled.h"
#include "core/layout.h"

struct hd_touch {
    uint64_t begin, end;
    bool writes;
};

#define HD_TOUCH_SYNC (1ull << 63)
#define HD_TOUCH_THREAD (1ull << 62)
#define HD_TOUCH_WATCHED 8ull /* stands for all that invariants read; no memory lies there */
#define HD_MAX_TOUCHES 3

/* What ends together with the first object: the synchronisation objects in a freed block, the
 * stack of a thread. */
static inline struct hd_touch hd_touch_end(const struct hd_action *a)
{
    if (a->op == HD_OP_FREE)
        return (struct hd_touch){ HD_TOUCH_SYNC | a->object << 3,
                                  HD_TOUCH_SYNC | (a->object + a->size) << 3, true };
    uint64_t stack = HD_STACK_BASE + a->object * HD_STACK_STRIDE;
    return (struct hd_touch){ stack, stack + HD_STACK_STRIDE, true };
}

/* Does the action end what it touches there?  A later access of it breaks the program, so a
 * happens-before graph without violations needs no edges from there on. */
static inline bool hd_touch_ends(const struct hd_action *a, const struct hd_touch *t)
{
    if (t->begin == HD_TOUCH_WATCHED)
        return false;
    return a->op == HD_OP_FREE || (a->op == HD_OP_EXIT && !(t->begin & HD_TOUCH_THREAD));
}

/* The first object, of an action that touches one. */
HD_HOT struct hd_touch hd_touch_one(const struct hd_action *a)
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    if (row->space == HD_SPACE_MEM)
        return (struct hd_touch){ a->object, a->object + a->size,
                                  row->access == HD_ACCESS_WRITE };
    uint64_t begin = (row->space == HD_SPACE_SYNC ? HD_TOUCH_SYNC : HD_TOUCH_THREAD) | a->object
                                                                                           << 3;
    return (struct hd_touch){ begin, begin + 8, row->access == HD_ACCESS_WRITE };
}

/* Does a thread leave an object that it has waited for (a condition variable with RELOCK, a
 * barrier), and may the object's memory have ended?  That uses the object, which must still be
 * there; nothing else that is done with the object matters.  The address after the object's
 * stands for it: no other object lies there, and the end of the memory covers it. */
static inline bool hd_touch_leaves(const struct hd_action *a, struct hd_touch *out)
{
    uint64_t object = a->op == HD_OP_LEAVE ? a->object : a->op == HD_OP_RELOCK ? a->object2 : 0;
    uint64_t begin = HD_TOUCH_SYNC | (object + 1) << 3;
    *out = (struct hd_touch){ begin, begin + 8, false };
    return HD_MAY_END(object);
}

/* Does the operation use a synchronisation object there whose memory may end?  A thread that
 * leaves an object does not: the object may have been destroyed by then. */
static inline bool hd_touch_uses(const struct hd_action *a, const struct hd_touch *t)
{
    uint64_t object = (t->begin & ~HD_TOUCH_SYNC) >> 3;
    return t->begin & HD_TOUCH_SYNC && HD_MAY_END(object) &&
           hd_op_table[a->op].space == HD_SPACE_SYNC &&
           !hd_op_has((enum hd_op)a->op, HD_OPTRAIT_LEAVES) &&
           (object == a->object || hd_op_second_is_sync((enum hd_op)a->op));
}

/* Returns how many of out[] were filled in: 0 for actions that touch nothing, and for those
 * that conflict with everything. */
static inline int hd_touches(const struct hd_action *a, struct hd_touch out[2])
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    if (row->access == HD_ACCESS_NONE || row->access == HD_ACCESS_ALL)
        return a->op == HD_OP_LEAVE && hd_touch_leaves(a, out);
    out[0] = hd_touch_one(a);
    if (a->op == HD_OP_FREE || a->op == HD_OP_EXIT) {
        out[1] = hd_touch_end(a);
        return 2;
    }
    if (!a->object2)
        return 1;
    if (a->op == HD_OP_RELOCK)
        return 1 + hd_touch_leaves(a, &out[1]);
    if (hd_op_second_is_sync((enum hd_op)a->op)) {
        uint64_t begin = HD_TOUCH_SYNC | a->object2 << 3;
        out[1] = (struct hd_touch){ begin, begin + 8, true };
    } else if (a->op == HD_OP_AWAIT) {
        out[1] = (struct hd_touch){ a->object2, a->object2 + a->size2, false };
    } else {
        out[1] = (struct hd_touch){ a->object2, a->object2 + a->size,
                                    !hd_op_reads_second((enum hd_op)a->op) };
    }
    return 2;
}

/* Does the action write what an invariant reads?  (A compare-exchange that fails does not.) */
static inline bool hd_touches_watched(const struct hd_action *a)
{
    return a->size2 >= HD_WATCHED_WRITE && a->op != HD_OP_CAS_FAIL;
}

/* Like hd_touches(), with the object that stands for what invariants read. */
static inline int hd_touches_all(const struct hd_action *a, struct hd_touch out[HD_MAX_TOUCHES])
{
    int n = hd_touches(a, out);
    if (__builtin_expect(n && hd_touches_watched(a), 0))
        out[n++] = (struct hd_touch){ HD_TOUCH_WATCHED, HD_TOUCH_WATCHED + 8, true };
    return n;
}

#endif
