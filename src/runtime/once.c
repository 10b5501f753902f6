/* pthread_once: the first thread runs the function, others wait until it has returned.
 *
 * The control variable holds what glibc would have there (0, 1 while it runs, 2 afterwards), so
 * that a control which is set to PTHREAD_ONCE_INIT again is a new one. */
#include "runtime/view.h"

#include <pthread.h>

static bool is_fresh(const pthread_once_t *once)
{
    pthread_once_t shown;
    hd_view_load(rt->cur, once, &shown, sizeof shown);
    return shown == PTHREAD_ONCE_INIT;
}

static struct hd_sync *once_of(pthread_once_t *once, uint32_t site)
{
    hd_check_object(once, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)once);
    if (s && s->kind == HD_SYNC_ONCE && is_fresh(once) &&
        hd_tset_empty(&s->pending, hd_tset_words(rt->config.n_threads)))
        return hd_sync_make((uint64_t)(uintptr_t)once, HD_SYNC_ONCE);
    return hd_sync_use(once, HD_SYNC_ONCE, "once control", is_fresh(once), site);
}

static void set(struct hd_sync *s, pthread_once_t *once, uint16_t owner, pthread_once_t shown)
{
    HD_SET(s->owner, owner);
    HD_SET(s->count, shown == 2);
    hd_log_word(once);
    hd_view_write(rt->cur, once, &shown, sizeof shown);
    hd_sync_changed(s);
}

struct running {
    struct hd_sync *s;
    pthread_once_t *once;
    uint32_t site;
    void *cleanup;         /* the thread's handlers when it began */
    struct running *outer; /* the pthread_once in whose function this one is called, or NULL */
};

/* The thread ends while it runs the function: the function counts as not run. */
static void ended_inside(void *arg)
{
    struct running *now = arg;
    if (!rt->solo_fast)
        hd_act(HD_OP_ONCE_DONE, now->once, NULL, 0, now->site);
    set(now->s, now->once, HD_NOBODY, 0);
}

void heddle_once_abort(void);

/* An exception leaves the function of the running thread's innermost pthread_once, and will
 * pass through it. */
void heddle_once_abort(void)
{
    hd_take_site();
    struct hd_thread *t = hd_thread_now();
    struct running *now = t->once;
    HD_SET(t->cleanup, now->cleanup);
    HD_SET(t->once, now->outer);
    ended_inside(now);
}

int pthread_once(pthread_once_t *once, void (*routine)(void))
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    struct hd_sync *s = once_of(once, site);
    if (s->owner == rt->cur)
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_once by the function that it runs: it waits for itself");
    hd_sync_wait(s, HD_OP_ONCE, site);
    if (s->count)
        return 0;
    set(s, once, (uint16_t)rt->cur, 1);
    HD_SET(s->site, site);
    struct hd_thread *t = hd_thread_now();
    struct running now = { s, once, site, t->cleanup, t->once };
    HD_SET(t->once, &now);
    pthread_cleanup_push(ended_inside, &now);
    routine();
    pthread_cleanup_pop(0);
    HD_SET(t->once, now.outer);
    if (!rt->solo_fast)
        hd_act(HD_OP_ONCE_DONE, once, NULL, 0, site);
    set(s, once, HD_NOBODY, 2);
    return 0;
}
