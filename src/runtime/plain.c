/* A program started without heddle: one run, threads take turns. */
#include "runtime/attempt.h"

#include "core/enabled.h"

#include <stdio.h>
#include <unistd.h>

#define TURN 200 /* actions before another thread gets its turn, so that spinning ends */

static _Noreturn void stuck(void)
{
    if (hd_deadlock_allowed(NULL))
        _exit(0);
    hd_say("heddle: every thread of this program waits for ever (deadlock)\n");
    _exit(3);
}

struct hd_decision hd_plain_decide(void)
{
    const struct hd_config *c = &rt->config;
    uint16_t op = rt->next[rt->cur].op;
    bool turn_over = ++rt->plain_turn >= TURN || hd_op_pauses((enum hd_op)op) ||
                     hd_op_timed((enum hd_op)op);
    if (!turn_over && hd_tset_has(&c->enabled, rt->cur))
        return (struct hd_decision){ HD_RUN, rt->cur };
    rt->plain_turn = 0;
    for (uint32_t i = 1; i <= c->n_threads; i++) {
        uint32_t thread = (rt->cur + i) % c->n_threads;
        if (hd_tset_has(&c->enabled, thread))
            return (struct hd_decision){ HD_RUN, thread };
    }
    stuck();
}
