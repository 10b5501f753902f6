/* Whom a cancellation wakes. */
#ifndef HD_RUNTIME_CANCEL_WAKE_H
#define HD_RUNTIME_CANCEL_WAKE_H

#include <stdint.h>

/* The thread that pthread_cancel of `thread` would wake now: itself or ~0u. */
uint32_t hd_cancel_wakes(uint32_t thread);

/* The thread goes on with what a handler has interrupted: a cancellation that came meanwhile
 * wakes it. */
void hd_cancel_wake(uint32_t thread);

#endif
