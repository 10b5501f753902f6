/* The states that a search has visited, in one of three ways (options.state_store):
 *
 *   prints   128 bits of each (fingerprint_set.h)
 *   exact    the states themselves.  Memory and the local states of the threads are kept once
 *            each, wherever they occur (Holzmann's collapse compression), a state is the tuple
 *            of their numbers; so is its print then, and no two are mistaken for one
 *   bits     four bits of one table for each (Holzmann's bitstate hashing): least memory, and
 *            no claim to have visited everything */
#ifndef HD_EXPLORE_STATES_VISITED_H
#define HD_EXPLORE_STATES_VISITED_H

#include "explore/loop/explorer.h"
#include "explore/states/fingerprint_set.h"

struct hd_visited;

struct hd_visited *hd_visited_create(struct hd_explorer *ex);

/* The identity of the new node's state, whose fingerprint is given. */
struct hd_fingerprint hd_visited_name(struct hd_visited *v, struct hd_explorer *ex,
                                      struct hd_fingerprint print);

/* The size of the table that a fingerprint is looked up in; 0 if there is none. */
uint64_t hd_visited_bytes(const struct hd_visited *v);

/* It is about to be added to that table. */
void hd_visited_prefetch(const struct hd_visited *v, struct hd_fingerprint name);

/* Returns whether it is new. */
bool hd_visited_add(struct hd_visited *v, struct hd_fingerprint name);

/* Write the states into a work unit, or read them (loop/filter.h). */
void hd_visited_pack(struct hd_visited *v, struct hd_pack *p);

#endif
