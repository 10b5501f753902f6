/* A work unit: the rest of a search, as bytes without pointers (docs/design/018-unit.md).
 *
 * It holds the path with its open alternatives and the state of the search, the filters and the
 * checks.  It leaves out what running the path again from the root computes: clocks, sleep
 * sets, values.  Another process can go on with it without sharing memory with the writer.
 *
 *   head    HD_UNIT_MAGIC, HD_UNIT_VERSION, length and hash of what follows
 *   kind    a whole search, or a part of one that a worker gives to another
 *   parts   each begins with its name: of several workers, the place in the tree, and of the
 *           first also the tree; path, filters by index.  Of a whole search also the explorer,
 *           the search and the checks
 *
 * A reader gets hostile bytes: every number is compared with its bound.  What cannot be checked
 * before the program runs (may this thread move here?) is checked when the path is run
 * again. */
#ifndef HD_EXPLORE_JOBS_UNIT_H
#define HD_EXPLORE_JOBS_UNIT_H

#include "core/pack.h"
#include "explore/loop/explorer.h"

#define HD_UNIT_MAGIC 0x74696e75646468ull /* "hddunit" */

/* Write the unit of an explorer that is between two executions; returns its length, 0 when
 * there is no room, or something in the chain cannot be packed. */
uint64_t hd_unit_write(struct hd_explorer *ex, void *bytes, uint64_t room);

/* Fill a new explorer with the same options.  NULL, or what is wrong. */
const char *hd_unit_read(struct hd_explorer *ex, void *bytes, uint64_t n);

/* Write the open alternatives of node `depth`, and nothing else, for another worker (between
 * two executions; nothing below them may affect the nodes above).  Returns the length, or 0. */
/* Of a search with its own units it is what that has chosen (search.h, `give`). */
uint64_t hd_unit_write_part(struct hd_explorer *ex, uint32_t depth, void *bytes, uint64_t room);

/* The same for all that is left of our part, of an explorer that has turned to the next
 * execution. */
uint64_t hd_unit_write_rest(struct hd_explorer *ex, void *bytes, uint64_t room);

/* Go on with such a part, or with the rest of a worker of an earlier process, in an explorer
 * whose own part is over.  The next execution begins at the root.  Returns NULL, or what is
 * wrong. */
const char *hd_unit_read_part(struct hd_explorer *ex, void *bytes, uint64_t n);

#endif
