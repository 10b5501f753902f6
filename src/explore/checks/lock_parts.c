/* Critical sections of one mutex that are taken for independent, and are not: --finer locks
 * (docs/design/029-locks.md).
 *
 * Two such sections are in different parts of the mutex (core/lock_parts.h).  If they touch
 * something in common they race in the dependence order, as nothing else keeps them apart; then
 * the exploration begins again with both in one part.  What was found before is not reported.
 *
 * Where happens-before is less than the dependence order (counters.orders_less), accesses that
 * are ordered by the order of critical sections only would be taken for a data race: then all
 * mutexes become whole.
 *
 * After a data race the other half of it can come in the midst of a section, and sections in
 * other parts with it: that is no execution of the program any more.  So after a race, and with
 * --keep-going after any violation, all mutexes become whole, too: what is reported has been
 * found without parts. */
#include "explore/loop/explorer.h"
#include "explore/order/hb.h"

struct lock_parts {
    uint64_t n_looked; /* the first of the races of events, that have been looked at */
};

static void *create(struct hd_explorer *ex)
{
    if (!(ex->opt->finer & HD_FINER_LOCKS))
        return NULL;
    return hd_arena_take(&ex->arena, sizeof(struct lock_parts));
}

/* The part of a mutex that its thread holds at the event; 0: none.  In a section there are
 * accesses only. */
static uint64_t part_at(const struct hd_explorer *ex, uint32_t event)
{
    const struct hd_hb *hb = ex->hb;
    for (event = hb->events[event].before; event != HD_NO_EVENT;
         event = hb->events[event].before) {
        const struct hd_action *a = &ex->path.nodes[event].action;
        if (hd_op_table[a->op].space != HD_SPACE_MEM)
            return a->op == HD_OP_LOCK && HD_PART_NUMBER(a->object) ? a->object : 0;
    }
    return 0;
}

static void look(void *self, struct hd_explorer *ex)
{
    struct lock_parts *l = self;
    struct hd_lock_parts *parts = &ex->shared->parts_found;
    const struct hd_hb *hb = ex->hb;
    for (; hb && !hb->full && l->n_looked < hb->n_races; l->n_looked++) {
        const struct hd_hb_race *race = &hb->races[l->n_looked];
        uint64_t a = part_at(ex, race->early), b = part_at(ex, race->late);
        if (a && b && HD_PART_MUTEX(a) == HD_PART_MUTEX(b))
            hd_lock_parts_join(parts, a, b);
    }
    if (ex->cnt->orders_less || (ex->raced && !parts->grown)) /* not a race of two sections */
        hd_lock_parts_all_whole(parts);
    if (parts->grown)
        ex->stop_as = HD_STATE_GREW;
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_lock_parts *parts = &ex->shared->parts_found;
    (void)self;
    if (finding && finding->kind != HD_KIND_NONE && ex->opt->keep_going && !parts->grown)
        hd_lock_parts_all_whole(parts);
    if (parts->grown)
        ex->stop_as = HD_STATE_GREW;
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct lock_parts *l = self;
    (void)depth;
    if (ex->hb && l->n_looked > ex->hb->n_races)
        l->n_looked = ex->hb->n_races;
}

const struct hd_check hd_check_lock_parts = {
    .create = create,
    .look = look,
    .ended = ended,
    .back = back,
};
