/* Deferred cancellation.  Asynchronous cancelability is treated as deferred, which is one of
 * its possible behaviours.
 *
 *   pthread_cancel   marks the thread; one that waits at a cancellation point is woken
 *                    (cancel_wake.c)
 *   points           testcancel, cond_wait, timedwait, join, sem_wait, sem_timedwait, sleeping,
 *                    read, write and their like; poll, select, epoll_wait, sigwait and their
 *                    like (by the bell that they wait for)
 *
 * CANCEL conflicts with every action, so that later steps may look at the mark without an
 * action of their own.  A thread woken by it stands at CANCELLED, at RELOCK to take the mutex
 * of its condition variable again, or at SEM_WAIT, IO_READ or IO_WRITE, which turn out to be
 * the rows after them (op.def).  A waiting thread that could go on is not woken: the order of
 * its step and the cancellation decides.
 *
 * Under a weak memory model the mark is an object, and a look at it a step (hd_cancel_looks).
 * Nobody is woken.  A thread looks before it waits, and the search explores what the look may
 * read: if the mark is set in the end, an execution in which the thread waits for ever counts
 * as none (explore/searches/graph_ends.c).
 *
 * Cleanup handlers are those of glibc's macros for C: a buffer of sigsetjmp for each, chained
 * by their first spare word. */
#include "runtime/cancel.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

struct __jmp_buf_tag;
void __pthread_register_cancel(__pthread_unwind_buf_t *buf);
void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf);
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf);
void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf);
_Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf);

/* The handler that was the newest one before this. */
static void *outer(const __pthread_unwind_buf_t *buf)
{
    void *handler;
    hd_view_load(rt->cur, &buf->__pad[0], (void *)&handler, sizeof handler);
    return handler;
}

void __pthread_register_cancel(__pthread_unwind_buf_t *buf)
{
    struct hd_thread *t = hd_thread_now();
    hd_take_site();
    hd_log_word(&buf->__pad[0]);
    hd_view_write(rt->cur, &buf->__pad[0], &t->cleanup, sizeof t->cleanup);
    HD_SET(t->cleanup, buf);
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf)
{
    hd_take_site();
    HD_SET(hd_thread_now()->cleanup, outer(buf));
}

/* Cancelability is deferred here at all times. */
void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buf)
{
    __pthread_register_cancel(buf);
}

void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buf)
{
    __pthread_unregister_cancel(buf);
}

/* Run the newest cleanup handler, which comes back by __pthread_unwind_next; after the last one
 * the thread is over. */
static _Noreturn void unwind(void)
{
    struct hd_thread *t = hd_thread_now();
    __pthread_unwind_buf_t *buf = t->cleanup;
    if (!buf)
        hd_thread_finish();
    HD_SET(t->cleanup, outer(buf));
    longjmp((struct __jmp_buf_tag *)(void *)buf->__cancel_jmp_buf, 1);
}

void __pthread_unwind_next(__pthread_unwind_buf_t *buf)
{
    (void)buf;
    hd_take_site();
    unwind();
}

void hd_thread_exit(uint64_t result)
{
    struct hd_thread *t = hd_thread_now();
    HD_SET(t->result, result);
    HD_SET(t->cancel, t->cancel | HD_CANCEL_DISABLED);
    unwind();
}

void pthread_exit(void *result)
{
    hd_take_site();
    hd_thread_exit((uint64_t)(uintptr_t)result);
}

void hd_cancel_act(void) { hd_thread_exit((uint64_t)(uintptr_t)PTHREAD_CANCELED); }

struct hd_sync *hd_cancel_mark(uint32_t thread)
{
    uint64_t mark = (uint64_t)(uintptr_t)&model->threads[thread].cancel;
    struct hd_sync *s = hd_sync_find(mark);
    return s ? s : hd_sync_make(mark, HD_SYNC_CANCEL);
}

bool hd_cancel_looks(bool waits, uint32_t site)
{
    const struct hd_thread *t = hd_thread_now();
    if (t->cancel & HD_CANCEL_DISABLED || !hd_cancels())
        return false;
    if (!rt->solo_fast)
        hd_act(HD_OP_CANCEL_POINT, (void *)(uintptr_t)hd_cancel_mark(rt->cur)->addr, NULL, waits,
               site);
    return t->cancel & HD_CANCEL_ASKED && !hd_weak_fails();
}

void pthread_testcancel(void)
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast && !rt->weak)
        hd_act(HD_OP_YIELD, NULL, NULL, 0, site);
    hd_cancel_point(site);
}

/* Change one of the thread's cancelability bits; *before gets the old value. */
static int change(uint32_t bit, bool set, int *before, int if_set, int if_clear)
{
    struct hd_thread *t = hd_thread_now();
    uint32_t site = hd_take_site();
    if (rt->row) /* its next join may be a cancellation point */
        hd_engine_row_over();
    if (before) {
        __heddle_will_write(before, sizeof *before, site);
        int was = t->cancel & bit ? if_set : if_clear;
        hd_view_write(rt->cur, before, &was, sizeof was);
    }
    HD_SET(t->cancel, set ? t->cancel | bit : t->cancel & ~bit);
    return 0;
}

int pthread_setcancelstate(int state, int *before)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    return change(HD_CANCEL_DISABLED, state == PTHREAD_CANCEL_DISABLE, before,
                  PTHREAD_CANCEL_DISABLE, PTHREAD_CANCEL_ENABLE);
}

int pthread_setcanceltype(int type, int *before)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    return change(HD_CANCEL_ASYNCHRONOUS, type == PTHREAD_CANCEL_ASYNCHRONOUS, before,
                  PTHREAD_CANCEL_ASYNCHRONOUS, PTHREAD_CANCEL_DEFERRED);
}
