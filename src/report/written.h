/* Who wrote the bytes that a step reads, and who read them since, by the log of a run.
 *
 * The log has every access of the program, but not the values of all of them, and not what
 * atomic sections, code that heddle does not see, allocations and copies of realloc do.  Where
 * it is not certain the answer is HD_WRITTEN_UNKNOWN. */
#ifndef HD_REPORT_WRITTEN_H
#define HD_REPORT_WRITTEN_H

#include "supervise/supervise.h"

enum hd_written_how {
    HD_WRITTEN_UNKNOWN,
    HD_WRITTEN_NEVER, /* a global variable that no step has written */
    HD_WRITTEN_STALE, /* the initial value of one that has been written */
    HD_WRITTEN_VALUE, /* the step wrote these bytes and no others, and the log has the value */
    HD_WRITTEN_RANGE, /* it wrote all of them, and more */
    HD_WRITTEN_PART,  /* it wrote some of them */
    HD_WRITTEN_CALL,  /* the step is a call that may write some of them */
};

struct hd_written {
    enum hd_written_how how;
    uint32_t step;  /* index in the log + 1; 0: none */
    uint32_t bytes; /* RANGE: how many it wrote; PART: how many of these */
};

/* Does the log have the value that the step at that index read? */
bool hd_written_is_read(const struct hd_run *run, uint32_t at);

/* Where the value comes from that this step read. */
struct hd_written hd_written_source(const struct hd_run *run, uint32_t read);

/* The last step before that write, + 1, if it wrote the same bytes and the log has the value;
 * 0: otherwise. */
uint32_t hd_written_over(const struct hd_run *run, uint32_t write);

/* The first step behind that read and before `end` that writes any of the bytes that it read,
 * + 1; 0: there is none, or it is not known. */
uint32_t hd_written_next(const struct hd_run *run, uint32_t read, uint32_t end);

/* Are the bytes that the two steps access the same? */
bool hd_written_same(const struct hd_run *run, uint32_t at, uint32_t other);

/* Does the step at index `at` read any of the bytes that step `write` writes? */
bool hd_written_reads(const struct hd_run *run, uint32_t at, uint32_t write);

/* Is it the step of an atomic section or of code that heddle does not see, which may read and
 * write anything? */
bool hd_written_unseen(const struct hd_run *run, uint32_t at);

#endif
