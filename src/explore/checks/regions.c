#include "core/touch.h"
#include "explore/checks/races.h"

static bool overlap(const struct hd_region *a, const struct hd_region *b)
{
    return a->begin < b->end && b->begin < a->end;
}

/* Add the bytes; did the region grow? */
static bool grow(struct hd_region *region, const struct hd_touch *t)
{
    if (region->begin != region->end && region->begin <= t->begin && t->end <= region->end)
        return false;
    if (region->begin == region->end)
        *region = (struct hd_region){ t->begin, t->end };
    region->begin = region->begin < t->begin ? region->begin : t->begin;
    region->end = region->end > t->end ? region->end : t->end;
    return true;
}

static void compare(struct hd_regions *r, uint32_t thread)
{
    for (uint32_t t = 0; t < r->n && !r->meet; t++)
        r->meet = t != thread && (overlap(&r->plain[t], &r->any[thread]) ||
                                  overlap(&r->any[t], &r->plain[thread]));
}

/* A stack belongs to its thread, and ends with it; nothing is known of it once another thread
 * has used it. */
static bool on_stack(struct hd_regions *r, uint32_t thread, const struct hd_touch *t)
{
    uint64_t first = HD_STACK_BASE + thread * HD_STACK_STRIDE;
    if (t->begin >= first && t->end <= first + HD_STACK_STRIDE)
        return true;
    if (t->end > HD_STACK_BASE && t->begin < HD_STACK_BASE + HD_MAX_THREADS * HD_STACK_STRIDE)
        r->meet = true;
    return false;
}

static void add(struct hd_regions *r, uint32_t thread, const struct hd_action *a)
{
    struct hd_touch touched[2];
    bool grown = false;
    uint32_t op = a->op;
    if (hd_op_table[op].access == HD_ACCESS_ALL || op == HD_OP_FREE || op == HD_OP_LEAVE)
        r->meet = true; /* rare: then happens-before is asked */
    if ((!a->object2 && hd_op_table[op].space != HD_SPACE_MEM) || op == HD_OP_EXIT)
        return;
    r->n = r->n > thread ? r->n : thread + 1;
    for (int i = 0, n = hd_touches(a, touched); i < n; i++) {
        if (touched[i].begin >= HD_TOUCH_THREAD || on_stack(r, thread, &touched[i]))
            continue;
        if (HD_IS_MAPPED(touched[i].begin))
            r->meet = true; /* with calls that touch files */
        grown |= grow(&r->any[thread], &touched[i]);
        if (!hd_op_atomic((enum hd_op)a->op))
            grown |= grow(&r->plain[thread], &touched[i]);
    }
    if (grown)
        compare(r, thread);
}

/* Is it known without a closer look that the action adds nothing?  Most are atomic accesses of
 * bytes that the thread has used before, and ends and joins of threads. */
static inline bool adds_nothing(const struct hd_regions *r, uint32_t thread,
                                const struct hd_action *a)
{
    if ((a->op == HD_OP_EXIT || a->op == HD_OP_JOIN) && !a->object2)
        return true;
    const struct hd_region *any = &r->any[thread];
    return hd_op_atomic((enum hd_op)a->op) && hd_action_touches_one(a) &&
           !HD_IS_MAPPED(a->object) && any->begin <= a->object && a->object + a->size <= any->end;
}

bool hd_regions_meet(struct hd_regions *r, const struct hd_path *path)
{
    for (; r->seen < path->depth && !r->meet; r->seen++) {
        const struct hd_action *a = &path->nodes[r->seen].action;
        uint32_t thread = HD_STEP_THREAD(path->steps[r->seen]);
        if (!adds_nothing(r, thread, a))
            add(r, thread, a);
    }
    return r->meet;
}
