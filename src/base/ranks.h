/* Processes on several machines that send bytes to each other.  heddle has no network code
 * of its own: a plug-in, lib/heddle/heddle-mpi.so, does it with MPI (src/mpi/plugin.c). */
#ifndef HD_BASE_RANKS_H
#define HD_BASE_RANKS_H

#include "base/err.h"

#include <stddef.h>

#define HD_RANKS_VERSION 1
#define HD_RANKS_SYMBOL "hd_ranks_plugin"

struct hd_ranks {
    int version; /* HD_RANKS_VERSION */
    /* Our number, from 0, and how many there are. */
    int (*begin)(int *rank, int *n, struct hd_err *err);
    int (*send)(int to, const void *bytes, size_t n, struct hd_err *err);
    /* The next message, from anybody; the caller frees it.  Returns 1, 0 if none has come in
     * that time, or -1. */
    int (*receive)(int milliseconds, int *from, void **bytes, size_t *n, struct hd_err *err);
    void (*end)(void);   /* waits for all */
    void (*abort)(void); /* ends all */
};

#endif
