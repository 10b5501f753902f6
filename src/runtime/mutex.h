/* The functions of mutexes that condition variables use. */
#ifndef HD_RUNTIME_MUTEX_H
#define HD_RUNTIME_MUTEX_H

#include "runtime/rt.h"

#include <pthread.h>

struct hd_sync *hd_mutex_of(pthread_mutex_t *m, uint32_t site);
/* The running thread ends: its robust mutexes are left to others. */
void hd_mutex_owner_dies(void);
/* What locking the mutex returns to its new owner: 0, EOWNERDEAD, or ENOTRECOVERABLE (then it
 * is released). */
int hd_mutex_taken(struct hd_sync *s);
void hd_mutex_make_robust(struct hd_sync *s); /* one that was just made */
void hd_mutex_take(struct hd_sync *s, uint32_t site);
void hd_mutex_acquire(struct hd_sync *s, enum hd_op op, uint32_t site);
void hd_mutex_release(struct hd_sync *s);

#endif
