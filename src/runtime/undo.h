/* The undo log: what memory held before the running execution changed it.
 *
 * Most changes are single words (struct hd_undo).  A range of HD_RANGE_BYTES or more is one
 * entry, which names an image: a copy of the range, or the fact that it held nothing but zeros,
 * as fresh memory does.  So a large memset costs about as much as two copies of its range,
 * once, and nothing per word.
 *
 * Invariants:
 *  U1  an entry whose `at` is odd is a range, and its `old` is the address of its image
 *  U2  images lie in the order of their entries; rt->newest_image is the last one, or NULL
 *  U3  after rt->newest_image->entry there are only words: undoing loops over them without
 *      looking for ranges */
#ifndef HD_RUNTIME_UNDO_H
#define HD_RUNTIME_UNDO_H

#include "runtime/rt.h"

#define HD_RANGE_BYTES 256

struct hd_image {              /* tool memory */
    struct hd_undo *entry;     /* its place in the log */
    struct hd_image *previous; /* the next older one */
    uint64_t *at;
    uint64_t words;
    uint64_t zeros; /* the range held zeros; the room for old[] is not touched */
    uint64_t pad;
    uint64_t old[];
};

static inline bool hd_undo_is_range(const struct hd_undo *e) { return (uintptr_t)e->at & 1; }
static inline struct hd_image *hd_undo_image(const struct hd_undo *e)
{
    return (struct hd_image *)(uintptr_t)e->old;
}

/* Is there a range among the entries from `begin` on? */
static inline bool hd_undo_has_range(const struct hd_undo *begin)
{
    return HD_UNLIKELY(rt->newest_image && rt->newest_image->entry >= begin);
}

/* Undo the entries between `end` and `top`, of which some may be ranges; returns `end`. */
struct hd_undo *hd_undo_ranges(struct hd_undo *top, const struct hd_undo *end);

/* Exchange the entry's old contents, a word or a range, with what memory holds now. */
void hd_undo_swap(struct hd_undo *e);

/* Words of the entry. */
static inline uint64_t hd_undo_words(const struct hd_undo *e)
{
    return hd_undo_is_range(e) ? hd_undo_image(e)->words : 1;
}

/* The i-th word of the entry: its address, and what it held before. */
static inline struct hd_undo hd_undo_word(const struct hd_undo *e, uint64_t i)
{
    if (!hd_undo_is_range(e))
        return *e;
    const struct hd_image *image = hd_undo_image(e);
    return (struct hd_undo){ image->at + i, image->zeros ? 0 : image->old[i] };
}

#endif
