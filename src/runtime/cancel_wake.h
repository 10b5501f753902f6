/* Whom a cancellation wakes. */
#ifndef HD_RUNTIME_CANCEL_WAKE_H
#define HD_RUNTIME_CANCEL_WAKE_H

#include <stdint.h>

/* The thread that pthread_cancel of `thread` would wake now: itself or ~0u. */
uint32_t hd_cancel_wakes(uint32_t thread);

#endif
