#include "explore/loop/ask.h"

#include "core/futex.h"

#include <linux/futex.h>
#include <string.h>
#include <time.h>

/* Pass the turn to the host and wait for the answer.  False: there is none. */
static bool wait_for_answer(struct hd_explorer *ex)
{
    static const struct timespec limit = { 1, 0 };
    struct hd_mailbox *box = &ex->shared->mailbox;
    uint32_t state = ex->shared->ctl.state, turn = HD_TURN_WORKER;
    box->kept = box->n_opened = box->stop = 0;
    ex->shared->ctl.state = HD_STATE_WAITING;
    if (__atomic_compare_exchange_n(&box->turn, &turn, HD_TURN_HOST, false, __ATOMIC_RELEASE,
                                    __ATOMIC_ACQUIRE))
        hd_futex(&box->turn, FUTEX_WAKE, 1, NULL);
    while ((turn = __atomic_load_n(&box->turn, __ATOMIC_ACQUIRE)) == HD_TURN_HOST)
        hd_futex(&box->turn, FUTEX_WAIT, HD_TURN_HOST, &limit);
    ex->shared->ctl.state = state;
    if (turn == HD_TURN_WORKER && !box->error[0])
        return true;
    char text[sizeof box->error];
    memcpy(text, box->error, sizeof text);
    text[sizeof text - 1] = 0;
    hd_explorer_give_up(ex, *text ? text : "the strategy from outside gives no answer");
    return false;
}

bool hd_ask_host(struct hd_explorer *ex, enum hd_question question, uint32_t since,
                 const uint32_t *alts, uint32_t n)
{
    struct hd_mailbox *box = &ex->shared->mailbox;
    const struct hd_config *config = ex->world.config;
    box->question = question;
    box->depth = ex->path.depth;
    box->since = since < box->depth ? since : box->depth;
    box->n_threads = config->n_threads;
    box->last = config->last;
    box->execution = ex->executions_begun;
    box->live = config->live;
    box->enabled = config->enabled;
    box->n = n;
    if (n)
        memcpy(box->alternatives, alts, n * sizeof *alts);
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (hd_tset_has(&config->live, t))
            box->next[t] = hd_tset_has(&config->enabled, t) ? hd_explorer_outcome(ex, t)
                                                            : config->next[t];
    for (uint32_t d = box->since; d < box->depth; d++)
        box->path[d] = ex->path.nodes[d].action;
    return wait_for_answer(ex);
}
