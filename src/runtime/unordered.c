/* The replay of a data race by happens-before (explore/order/sync_order.h): the first access
 * has been made when the second thread comes to its own.  The steps of the replay are ordered
 * again, and the operations between the two accesses that do not order them are looked for.
 *
 * A replay never goes back, so this state need not be logged. */
#include "core/dependence.h"
#include "explore/order/sync_order.h"
#include "runtime/rt.h"

#include <sys/mman.h>

#define ARENA_BYTES (4ull << 30) /* of addresses; memory is taken when it is written */
#define MOST_NEWER 64u           /* stores that a load may leave out */

struct replayed {
    struct hd_action action;
    uint32_t thread;
    uint32_t fences; /* orders of the fences that follow it, or'ed */
};

static struct {
    struct hd_arena arena;
    struct hd_sync_order order;
    struct replayed *steps;
    uint32_t first; /* event of the first access, + 1 */
    uint32_t first_log;
    bool next_is_first;
    bool ready, unordered;
} now;

static void found(void *self, uint32_t early, uint32_t late)
{
    (void)self;
    (void)late;
    now.unordered = now.unordered || early + 1 == now.first;
}

static void prepare(void)
{
    void *memory = hd_mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        hd_fatal("no room to order the steps of a data race");
    now.arena = (struct hd_arena){ memory, 0, ARENA_BYTES };
    now.steps = hd_arena_take(&now.arena, sizeof *now.steps * (uint64_t)HD_MAX_STEPS);
    if (!now.steps || !hd_sync_order_init(&now.order, &now.arena, found, NULL))
        hd_fatal("no room to order the steps of a data race");
    now.ready = true;
}

void hd_unordered_first(void) { now.next_is_first = true; }

static struct hd_action action_of(uint32_t thread, uint32_t choice)
{
    struct hd_action a = rt->next[thread];
    a.op = (uint8_t)hd_replay_outcome(thread, choice);
    return a;
}

void hd_unordered_step(uint32_t thread, uint32_t choice)
{
    if (!now.ready)
        prepare();
    struct hd_action a = action_of(thread, choice);
    if (now.next_is_first) {
        now.next_is_first = false;
        now.first = now.order.depth + 1;
        now.first_log = rt->n_log;
    }
    now.steps[now.order.depth] = (struct replayed){ a, thread, 0 };
    hd_sync_order_ran(&now.order, thread, &a, hd_step_newer(HD_STEP_PACK(thread, choice), &a));
}

/* The fence follows the last step. */
void hd_unordered_fence(const struct hd_action *fence)
{
    if (!now.ready || !now.order.depth)
        return;
    hd_sync_order_fence(&now.order, rt->cur, hd_fences_add(HD_FENCE_NONE, fence->order));
    now.steps[now.order.depth - 1].fences |= fence->order;
}

/* The reason for a race: an operation of the second thread depends on one that the first thread
 * made after its access, and does not happen after it. */

static bool reads_atomically(const struct hd_action *a)
{
    return hd_op_atomic((enum hd_op)a->op) && a->op != HD_OP_ATOMIC_WRITE &&
           hd_op_table[a->op].space == HD_SPACE_MEM;
}

static bool writes(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_MEM &&
           hd_op_table[a->op].access == HD_ACCESS_WRITE;
}

/* The step that the atomic step `load` read from, + 1. */
static uint32_t read_from(uint32_t load)
{
    const struct hd_action *a = &now.steps[load].action;
    for (uint32_t i = load; i-- > 0;) {
        const struct hd_action *b = &now.steps[i].action;
        if (writes(b) && b->object < a->object + a->size && a->object < b->object + b->size)
            return i + 1;
    }
    return 0;
}

static bool tried_in_vain(enum hd_op op)
{
    return op == HD_OP_SEM_VALUE ||
           (hd_op_failed(op) && hd_op_table[op].space == HD_SPACE_SYNC && op < HD_OP_FD_USE);
}

/* Does the thread execute a fence of that order after step `from` and before step `to`? */
static bool fenced(uint32_t thread, uint32_t from, uint32_t to, uint32_t order)
{
    for (uint32_t i = from; i < to; i++)
        if (now.steps[i].thread == thread && now.steps[i].fences & order)
            return true;
    return false;
}

static enum hd_origin_kind why(uint32_t step, uint32_t thread, uint32_t *origin)
{
    const struct replayed *s = &now.steps[step], *first = &now.steps[now.first - 1];
    *origin = step;
    if (s->thread != thread)
        return 0;
    if (tried_in_vain((enum hd_op)s->action.op))
        return HD_ORIGIN_TRY;
    if (s->action.op == HD_OP_RELOCK || s->action.op == HD_OP_WAKE) {
        for (uint32_t i = step; i-- > now.first;)
            if (now.steps[i].thread == first->thread &&
                (now.steps[i].action.op == HD_OP_SIGNAL ||
                 now.steps[i].action.op == HD_OP_BROADCAST)) {
                *origin = i;
                return HD_ORIGIN_SIGNAL;
            }
        return 0;
    }
    uint32_t store = reads_atomically(&s->action) ? read_from(step) : 0;
    if (store <= now.first || now.steps[store - 1].thread != first->thread ||
        !hd_op_atomic((enum hd_op)now.steps[store - 1].action.op))
        return 0;
    if (!(now.steps[store - 1].action.order & HD_ORDER_RELEASE) &&
        !fenced(first->thread, now.first - 1, store - 1, HD_ORDER_RELEASE)) {
        *origin = store - 1;
        return HD_ORIGIN_STORE;
    }
    bool acquires = s->action.order &
                    (s->action.op == HD_OP_CAS_FAIL ? HD_ORDER_FAIL_ACQUIRE : HD_ORDER_ACQUIRE);
    return acquires ? 0 : HD_ORIGIN_LOAD;
}

static void say_why(struct hd_finding *f, uint32_t thread, uint32_t end)
{
    for (uint32_t i = end, origin; i-- > now.first;) {
        enum hd_origin_kind what = why(i, thread, &origin);
        if (!what)
            continue;
        const struct replayed *s = &now.steps[origin];
        f->origins[f->n_origins++] = (struct hd_origin){ what, s->thread, s->action.site, 0 };
        return;
    }
}

/* Does the second access race with the first?  Under a weak memory model the schedule does not
 * say which store an atomic access reads: any with which it races will do. */
static bool make_second(uint32_t thread, struct hd_action *a, uint64_t at[2])
{
    uint32_t end = now.order.depth, most = rt->weak ? MOST_NEWER : 1;
    for (uint32_t newer = 0; newer < most; newer++) {
        *a = action_of(thread, newer);
        hd_sync_order_back(&now.order, end);
        hd_sync_order_ran(&now.order, thread, a, newer);
        if (now.unordered && hd_action_race(&now.steps[now.first - 1].action, a, at))
            return true;
        now.unordered = false;
        if (!hd_op_atomic((enum hd_op)a->op))
            return false;
    }
    return false;
}

bool hd_unordered_found(uint32_t thread, struct hd_finding *f)
{
    uint64_t at[2];
    if (!now.first || thread >= rt->config.n_threads || !hd_tset_has(&rt->config.enabled, thread))
        return false;
    const struct replayed *first = &now.steps[now.first - 1];
    struct hd_action a;
    uint32_t end = now.order.depth;
    if (!make_second(thread, &a, at))
        return false;
    *f = (struct hd_finding){ .kind = HD_KIND_DATA_RACE,
                              .thread = first->thread,
                              .site = first->action.site,
                              .race_step = now.first_log,
                              .n_standings = 1 };
    enum hd_op op = hd_op_attempt((enum hd_op)first->action.op);
    f->standings[0] = (struct hd_standing){ .thread = first->thread,
                                            .op = (uint16_t)op,
                                            .enabled = 1,
                                            .site = first->action.site,
                                            .owner = ~0u,
                                            .object = hd_name_of(at[0], HD_SPACE_MEM, op) };
    f->standings[0].stack = f->stack = rt->shared->log[now.first_log - 1].stack;
    hd_violation_standing(f, thread);
    f->standings[1].object = hd_name_of(at[1], HD_SPACE_MEM, (enum hd_op)a.op);
    say_why(f, thread, end);
    return true;
}
