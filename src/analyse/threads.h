/* Threads, seen statically: the functions that threads begin in, and what each of them may run.
 *
 * Entry 0 is main (with what runs before it). A function that code outside may call, and one
 * that runs at the end of a thread or of the process, is taken to run in every thread. */
#ifndef HD_ANALYSE_THREADS_H
#define HD_ANALYSE_THREADS_H

#include "analyse/cfg.h"

struct hd_entry {
    uint32_t function; /* HD_NO_POINT: a thread of code that is not here */
    bool many;         /* more than one thread may begin here */
};

struct hd_entries {
    const struct hd_code *code;
    struct hd_entry *entries;
    uint32_t n;
    uint64_t *reach; /* by entry and function, n_words words each: it may run the function */
    uint32_t n_words;
    bool *once; /* by function: at most one thread runs it, at most once */
};

void hd_threads_init(struct hd_entries *threads, const struct hd_points_to *p,
                     const struct hd_cfg *cfg);
void hd_threads_release(struct hd_entries *threads);

static inline bool hd_threads_runs(const struct hd_entries *threads, uint32_t entry,
                                   uint32_t function)
{
    return threads->reach[(size_t)entry * threads->n_words + function / 64] >> function % 64 & 1;
}

/* The entry that begins in the function; HD_NO_POINT: none does. */
uint32_t hd_threads_entry(const struct hd_entries *threads, uint32_t function);

/* The name of the entry's function. */
const char *hd_threads_name(const struct hd_entries *threads, uint32_t entry);

#endif
