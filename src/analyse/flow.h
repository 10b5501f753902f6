/* From which reads of memory the values come that a program writes, the addresses that it
 * accesses, the conditions under which it says that an assertion fails, and those of the
 * branches on the way to any of these.
 *
 * Values are followed backwards through registers, arguments, results, and memory that no two
 * threads share; there the order of writes does not count.  Of a value that depends on the way
 * that was taken the conditions of the nearest branches count, too.  A walk ends at a read that
 * other threads may influence, which is a source, at constants, and after a fixed number of
 * values.  Sources tell reports what to look for in a run: neither is every one of them used
 * there, nor need these be all. */
#ifndef HD_ANALYSE_FLOW_H
#define HD_ANALYSE_FLOW_H

#include "analyse/facts.h"
#include "core/site.h"

#define HD_MOST_SOURCES 12

struct hd_sources {
    uint32_t n;
    bool more; /* something else has a part in it: unknown code, the argument of a thread */
    uint32_t points[HD_MOST_SOURCES];
};

/* False: the point has no such value. */
bool hd_flow_find(const struct hd_facts *facts, uint32_t point, enum hd_flow_of of,
                  struct hd_sources *sources);

#endif
