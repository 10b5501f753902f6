#include "report/held.h"

#include "core/enabled.h"
#include "report/wake.h"

#include <string.h>

bool hd_held_takes(const struct hd_step *s)
{
    uint32_t grant = hd_op_table[s->op].grant;
    return grant == HD_GRANT_FREE || grant == HD_GRANT_NO_WRITER || grant == HD_GRANT_NOBODY;
}

static bool gives(const struct hd_step *s)
{
    return s->op == HD_OP_UNLOCK || s->op == HD_OP_RWUNLOCK || s->op == HD_OP_SPIN_UNLOCK ||
           s->op == HD_OP_OWNER_DIED;
}

/* Takes the newest entry of that lock out of the list. */
static uint32_t drop(const struct hd_run *run, uint32_t *steps, uint32_t n,
                     const struct hd_name *lock)
{
    for (uint32_t i = n; i-- > 0;)
        if (hd_wake_same_object(&run->log[steps[i]].object, lock)) {
            memmove(steps + i, steps + i + 1, (n - i - 1) * sizeof *steps);
            return n - 1;
        }
    return n;
}

uint32_t hd_held_find(const struct hd_run *run, uint32_t thread, uint32_t steps[HD_MOST_HELD])
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log; i++) {
        const struct hd_step *s = &run->log[i];
        if (s->thread != thread)
            continue;
        if (hd_held_takes(s) && n == HD_MOST_HELD)
            n = drop(run, steps, n, &run->log[steps[0]].object);
        if (hd_held_takes(s))
            steps[n++] = i;
        else if (gives(s))
            n = drop(run, steps, n, &s->object);
        else if (hd_op_gives_mutex((enum hd_op)s->op))
            n = drop(run, steps, n, &s->object2);
    }
    return n;
}

uint32_t hd_held_wait(const struct hd_run *run, const struct hd_standing *standing)
{
    for (uint32_t i = run->n_log; standing->op == HD_OP_BLOCKED && i-- > 0;) {
        const struct hd_step *s = &run->log[i];
        if (s->thread == standing->thread)
            return hd_op_gives_mutex((enum hd_op)s->op) &&
                           hd_wake_same_object(&s->object, &standing->object)
                       ? i + 1
                       : 0;
    }
    return 0;
}
