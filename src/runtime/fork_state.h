/* Children that are not followed, and handlers that run at a fork (fork.h). */
#ifndef HD_RUNTIME_FORK_STATE_H
#define HD_RUNTIME_FORK_STATE_H

#include <stdint.h>

#define HD_MAX_ATFORK 64
#define HD_MAX_CHILDREN 256

struct hd_atfork {
    void (*prepare)(void);
    void (*parent)(void);
    void (*child)(void);
};

struct hd_forks { /* model memory */
    uint64_t n_handlers, n_children;
    uint64_t shares; /* memory of MAP_SHARED has been mapped */
    struct hd_atfork handlers[HD_MAX_ATFORK];
    uint64_t waited[HD_MAX_CHILDREN / 64];
};

#endif
