/* signalfd: signals that the program blocks, read from a descriptor.
 *
 * The file keeps the set of signals.  Reading takes what is pending for the running thread or
 * the process, as sigwait() does; a thread that waits is rung by whoever sends one (signal.c).
 */
#ifndef HD_RUNTIME_SIGNALFD_H
#define HD_RUNTIME_SIGNALFD_H

#include "runtime/fd_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

ssize_t hd_signalfd_read(const struct hd_file *f, void *to, size_t n, bool nonblocking,
                         uint32_t site);
/* Is there one?  In a step; `watch`: the thread is to be rung when one comes. */
bool hd_signalfd_look(const struct hd_file *f, bool watch, uint32_t site);

#endif
