/* timerfd: a timer is a channel that holds a number, of expirations, as an eventfd does.
 *
 * Time is abstract: an armed timer may expire at any moment after it has been armed, and does
 * in the end.  Nothing happens at that moment but that the number grows, so it is chosen where
 * somebody looks:
 *
 *   look (poll, a read that does not wait)   not yet, or it has expired: a choice
 *   a read that waits                        it expires
 *   poll that waits                          a wait with a time limit; when time runs out, it
 *                                            is a choice which timer, or limit, that was
 *
 * A timer that is not armed never expires.  What is known of the time is heeded: when a thread
 * has slept, or a timer or a time limit that it had set has run out, timers that the same
 * thread had armed before for as long or shorter have expired, too. */
#ifndef HD_RUNTIME_TIMER_H
#define HD_RUNTIME_TIMER_H

#include "runtime/fd_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The timers that a call waits for. */
struct hd_ticking {
    struct hd_channel *at[HD_MAX_WATCHED];
    uint32_t n;
};

/* After a step that has looked at the timer: it may have expired.  True: it is armed and has
 * not. */
bool hd_timer_look(struct hd_channel *c, uint32_t site);
ssize_t hd_timer_read(struct hd_channel *c, void *to, size_t n, bool nonblocking, uint32_t site);
/* As hd_poll_change(), for a call that also waits for timers.  `ns`: < 0: it has no limit. */
bool hd_timer_await(const struct hd_ticking *timers, int64_t ns, uint64_t deadline,
                    uint32_t site);
/* The moment at which the running thread begins to wait; later, it has waited that long. */
uint32_t hd_timer_moment(void);
void hd_timer_passed(uint32_t moment, uint64_t ns, uint32_t site);

#endif
