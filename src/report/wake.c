/* The newest signal is reported: earlier ones are answered by the waits that followed them, and
 * a thread that misses the last signal waits for ever. */
#include "report/wake.h"

bool hd_wake_same_object(const struct hd_name *a, const struct hd_name *b)
{
    return a->where == b->where && a->thread == b->thread && a->index == b->index &&
           a->offset == b->offset;
}

/* Had the thread begun to wait before step `end`, and not come back? */
static bool waits_at(const struct hd_run *run, const struct hd_standing *s, uint32_t end)
{
    for (uint32_t i = end; i-- > 0;)
        if (run->log[i].thread == s->thread) /* while it waits it makes no step */
            return run->log[i].op == HD_OP_WAIT &&
                   hd_wake_same_object(&run->log[i].object, &s->object);
    return false;
}

static bool makes_steps(const struct hd_run *run, uint32_t thread, uint32_t from)
{
    for (uint32_t i = from; i < run->n_log; i++)
        if (run->log[i].thread == thread)
            return true;
    return false;
}

bool hd_wake_is_signal(const struct hd_step *step, const struct hd_standing *s)
{
    return (step->op == HD_OP_SIGNAL || step->op == HD_OP_BROADCAST) &&
           hd_wake_same_object(&step->object, &s->object);
}

/* Signals since the last step of the thread. */
static uint32_t signals_since(const struct hd_run *run, const struct hd_standing *s)
{
    uint32_t n = 0;
    for (uint32_t i = run->n_log; i > 0 && run->log[i - 1].thread != s->thread; i--)
        n += hd_wake_is_signal(&run->log[i - 1], s);
    return n;
}

struct hd_wake hd_wake_last(const struct hd_run *run, const struct hd_standing *s)
{
    struct hd_wake none = { .fate = HD_WAKE_NONE, .step = ~0u };
    if (s->op != HD_OP_BLOCKED || run->scheduled_only)
        return none;
    for (uint32_t i = run->n_log; i-- > 0;) {
        const struct hd_step *step = &run->log[i];
        if (!hd_wake_is_signal(step, s))
            continue;
        if (step->flags & HD_STEP_UNHEARD)
            return (struct hd_wake){ .fate = HD_WAKE_UNHEARD, .step = i };
        if (!makes_steps(run, s->thread, i))
            return step->woken ? (struct hd_wake){ HD_WAKE_ANOTHER, i, signals_since(run, s) }
                               : none;
        bool heard = waits_at(run, s, i) &&
                     (step->op == HD_OP_BROADCAST || step->woken == s->thread + 1);
        return (struct hd_wake){ .fate = heard ? HD_WAKE_IN_VAIN : HD_WAKE_EARLY, .step = i };
    }
    return none;
}
