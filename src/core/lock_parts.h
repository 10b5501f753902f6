/* Critical sections of one mutex whose order does not matter (--finer locks,
 * docs/design/029-locks.md).
 *
 * A mutex is split into parts, each an object of its own.  A section is named by its thread and
 * by how many locks the thread has taken before; at first each section has a part to itself.
 * When an exploration meets two sections that touch something in common, it begins again with
 * these two in one part.  A mutex that is used in a way that the split does not keep becomes
 * whole, again from the beginning.  So in the end the search has seen neither. */
#ifndef HD_CORE_LOCK_PARTS_H
#define HD_CORE_LOCK_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#define HD_LOCK_PARTS 4096u
#define HD_LOCK_PARTS_ROUNDS 1000u /* explorations, before all mutexes become whole */

/* The object of a part: the address of the mutex, and above it the number of a section.
 * Numbers begin with 1: such an object is no address. */
#define HD_PART_SHIFT 47
#define HD_PART_MUTEX(object) ((object) & ((1ull << HD_PART_SHIFT) - 1))
#define HD_PART_NUMBER(object) ((uint32_t)((object) >> HD_PART_SHIFT))

/* Threads and sections of a thread that have numbers: together 12 bits, so that the object can
 * be an address in core/touch.h.  All later sections of a thread have the last number. */
#define HD_PART_THREADS 64u
#define HD_PART_SECTIONS 63u

struct hd_lock_parts {
    uint32_t n;      /* rows in use */
    uint32_t whole;  /* all mutexes are whole */
    uint32_t grown;  /* since the supervisor has filled it in */
    uint32_t rounds; /* explorations that have begun again */
    struct hd_lock_part {
        uint64_t object;   /* of a section; or a mutex, which is whole; 0: free */
        uint64_t with;     /* the part that the section belongs to */
    } rows[HD_LOCK_PARTS]; /* by hash */
};

/* The object of a section; the mutex itself if it is whole. */
uint64_t hd_lock_parts_of(const struct hd_lock_parts *parts, uint64_t mutex, uint32_t number);

/* From the next exploration on: two parts of one mutex are one; a mutex, or all, are whole. */
void hd_lock_parts_join(struct hd_lock_parts *parts, uint64_t a, uint64_t b);
void hd_lock_parts_keep_whole(struct hd_lock_parts *parts, uint64_t mutex);
void hd_lock_parts_all_whole(struct hd_lock_parts *parts);

/* Can it be one that these functions have made? */
bool hd_lock_parts_check(const struct hd_lock_parts *parts);

#endif
