/* What condition variables need of mutexes. */
#ifndef HD_RUNTIME_MUTEX_H
#define HD_RUNTIME_MUTEX_H

#include "runtime/rt.h"

#include <pthread.h>

struct hd_sync *hd_mutex_of(pthread_mutex_t *m, uint32_t site);
void hd_mutex_take(struct hd_sync *s, uint32_t site);
void hd_mutex_acquire(struct hd_sync *s, enum hd_op op, uint32_t site);
void hd_mutex_release(struct hd_sync *s);

#endif
