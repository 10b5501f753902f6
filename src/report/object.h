/* How people call the objects of a run.
 *
 *   table[2].lock            a variable, or what is in it
 *   main's local q.head      a local of that thread
 *   T1's errors+8            a thread-local variable
 *   node#3->next             the third block that main allocated, which is a node
 *   T2's node#1[4].next      … that T2 did, an array of them
 *   byte 8 of block #2 allocated at queue.c:31    one whose type is not known
 *
 * Types are those of the pointers that the allocations were stored in, from the debug
 * information; members are those that it has at the offset. */
#ifndef HD_REPORT_OBJECT_H
#define HD_REPORT_OBJECT_H

#include "base/str.h"
#include "core/finding.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* `bytes`: how much of it is meant, from the place that is named on; 0: not known. */
void hd_object_name(struct hd_str *out, const struct hd_name *name, uint64_t bytes,
                    const struct hd_threads *threads, const struct hd_program *program);

/* Shortens the members from that place on.  libstdc++ has members in members, which nobody
 * wrote: of "items._M_impl._M_start" the last stays, and of "ready._M_i" none. */
void hd_object_fold(struct hd_str *name, size_t from);

/* As hd_object_name(), or the expression that the source has at the site if that says more. */
void hd_object_at(struct hd_str *out, const struct hd_name *name, uint32_t site, uint64_t bytes,
                  const struct hd_threads *threads, const struct hd_program *program);

#endif
