/* Output to a stream holds the stream's lock, in programs that use these locks. */
#ifndef HD_RUNTIME_STREAM_LOCK_H
#define HD_RUNTIME_STREAM_LOCK_H

#include "runtime/rt.h"

#include <stdio.h>

void hd_stream_enter(const FILE *f, uint32_t site);
void hd_stream_leave(const FILE *f, uint32_t site);
/* The same for a stream that is closed now and was locked. */
void hd_stream_unlock(const FILE *f, uint32_t site);

#endif
