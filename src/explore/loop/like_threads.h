/* Interchangeable threads (--symmetric): those that one thread has created with the same
 * function and the same argument (docs/design/025-symmetry.md).
 *
 * Exchanging two of them turns runs into runs, as long as the program does the same with both.
 * The program can treat a thread specially only by its id, which the creator has.  So the
 * creator may keep the ids to itself, create, and join: once it has begun to join it does
 * nothing else until it has joined all of them, and it takes no results.  Then the order in
 * which it joins makes no difference to others.  Everything else ends the exploration: a thread
 * that asks for its own id, that creates threads, a thread that is detached, cancelled, or
 * joined by another; and what the analysis of the program has found (analyse/alike.c). */
#ifndef HD_EXPLORE_LOOP_LIKE_THREADS_H
#define HD_EXPLORE_LOOP_LIKE_THREADS_H

#include "explore/loop/explorer.h"

#define HD_LIKE_GROUPS (2 * HD_MAX_THREADS)

struct hd_like_threads {
    uint64_t class[HD_MAX_THREADS]; /* at the node; 0: interchangeable with none */
    struct hd_like_group {          /* threads of one class */
        uint64_t class;
        uint32_t n, joined, creator;
    } groups[HD_LIKE_GROUPS]; /* a hash table; the first n_places are used */
    uint32_t n_places;        /* a power of two, twice the threads or more */
};

/* The classes at this node.  NULL if interchangeable threads cannot be distinguished, as far as
 * can be seen here; otherwise the reason. */
const char *hd_like_threads_look(struct hd_like_threads *s, struct hd_explorer *ex);

/* The exploration ends because of that. */
void hd_like_threads_give_up(struct hd_explorer *ex, const char *reason);

/* An execution is over, or everything has been explored: the last step may have distinguished
 * threads. */
void hd_like_threads_over(struct hd_explorer *ex);

#endif
