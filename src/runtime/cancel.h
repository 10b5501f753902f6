/* What waiting needs of cancellation. */
#ifndef HD_RUNTIME_CANCEL_H
#define HD_RUNTIME_CANCEL_H

#include "runtime/memory.h"
#include "runtime/rt.h"

/* The running thread has been cancelled: run its cleanup handlers and end it. */
_Noreturn void hd_cancel_act(void);

static inline bool hd_cancel_wanted(const struct hd_thread *t)
{
    return (t->cancel & (HD_CANCEL_ASKED | HD_CANCEL_DISABLED)) == HD_CANCEL_ASKED;
}

/* A cancellation point of the running thread. */
static inline void hd_cancel_point(void)
{
    if (HD_UNLIKELY(hd_cancel_wanted(hd_thread_now())))
        hd_cancel_act();
}

/* Has a cancellation ended the wait that is just over? */
static inline bool hd_cancel_woke(void)
{
    return HD_UNLIKELY(hd_thread_now()->cancel & HD_CANCEL_WOKEN);
}

#endif
