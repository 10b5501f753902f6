/* Signals as SCALE counts them, for --count-like-scale alone.
 *
 * There a signal chooses no waiter.  It leaves a token in the condition variable, and any
 * waiter, even one that began to wait later, may take it together with the mutex; a broadcast
 * wakes all and removes the tokens.  POSIX lets a signal wake only those that wait already, so
 * this is one more reason why such a run claims nothing.
 *
 * cond->count is the number of tokens, at most as many as there are waiters.  While there are
 * tokens, all of cond->pending stand at RELOCK; the last token sends them back to BLOCKED.
 * Timed waits, which SCALE does not know, are woken at once. */
#include "runtime/cond.h"

bool hd_cond_has_tokens(void)
{
    return rt->shared && rt->shared->options.filters & HD_FILTER_LIKE_SCALE;
}

void hd_cond_put_token(struct hd_sync *cond)
{
    uint32_t waiters = hd_tset_count(&cond->pending, hd_tset_words(rt->config.n_threads));
    if (cond->count < waiters)
        HD_SET(cond->count, cond->count + 1);
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&cond->pending, i) && rt->next[i].op == HD_OP_BLOCKED)
            hd_cond_to_mutex(i, &rt->next[i]);
        else if (hd_tset_has(&cond->pending, i) && rt->next[i].op == HD_OP_WAKE)
            hd_cond_wake(cond, i);
}

static void back_to_waiting(const struct hd_sync *cond, uint32_t thread)
{
    struct hd_sync *mutex = hd_sync_find(model->threads[thread].wait_mutex);
    hd_log_next(thread);
    rt->next[thread].op = HD_OP_BLOCKED;
    rt->next[thread].object = cond->addr;
    rt->next[thread].object2 = mutex->addr;
    hd_log_word(&mutex->pending.w[thread >> 6]);
    hd_tset_del(&mutex->pending, thread);
    hd_set_enabled(thread, false);
}

void hd_cond_token_taken(struct hd_sync *cond)
{
    if (cond->count == 0 || !hd_tset_has(&cond->pending, rt->cur))
        return;
    hd_log_word(&cond->pending.w[rt->cur >> 6]);
    hd_tset_del(&cond->pending, rt->cur);
    HD_SET(cond->count, cond->count - 1);
    for (uint32_t i = 0; cond->count == 0 && i < rt->config.n_threads; i++)
        if (hd_tset_has(&cond->pending, i) && rt->next[i].op == HD_OP_RELOCK)
            back_to_waiting(cond, i);
}
