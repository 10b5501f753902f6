/* How the value came about that broke the program: a slice of the run, backwards from the reads
 * at the place that fails, through the writes that they see and the reads before those.
 *
 * What a thread computed between two accesses is not in the log.  The program's code says which
 * reads a written value may come from (analyse/flow.h), and the last ones of the thread count.
 * Where it does not say that, a write depends on those reads of its thread since its write
 * before that stand in the same line or read what it writes.  The chain ends at a constant, and
 * at a write whose value the log does not have (report/written.h).
 *
 * Reads that made an address or decided a branch are causes, too, where something is unusual
 * about them: another thread changed what was read before it was used, or a write was lost. */
#ifndef HD_REPORT_CAUSE_H
#define HD_REPORT_CAUSE_H

#include "base/str.h"
#include "report/terminal.h"
#include "report/written.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

#define HD_MOST_CAUSES 8

/* What the value that was read had a part in. */
enum hd_cause_kind {
    HD_CAUSE_VALUE,   /* another value */
    HD_CAUSE_ADDRESS, /* where an access went */
    HD_CAUSE_GUARD,   /* a branch */
};

/* Steps are indices in the log, + 1; 0: none. */
struct hd_cause {
    enum hd_cause_kind kind;
    uint32_t read;    /* the step that read the value */
    uint32_t write;   /* where it came from; 0: it was there from the start, or not known */
    uint32_t later;   /* of a value from the start: who writes it after the read */
    uint32_t lost;    /* a write that `write` overwrites, unseen by the thread of `write` */
    uint32_t base;    /* what that thread had read before `lost`; 0: nobody has read `lost` */
    uint32_t use;     /* the step for which it was read; behind the log: what fails */
    uint32_t changed; /* a write of another thread in between, of another value */
    struct hd_written from; /* how `write` made it */
};

struct hd_causes {
    uint32_t n;
    struct hd_cause items[HD_MOST_CAUSES];
};

/* Nothing for a run whose violation is no value: a race, a livelock.  Of a deadlock, what
 * threads looked at before they waited for signals. */
void hd_causes_find(struct hd_causes *causes, const struct hd_run *run,
                    struct hd_program *program);

/* How many of them are told without -v, from the first on. */
uint32_t hd_causes_told(const struct hd_causes *causes);

/* Is the step one of those that are told? */
bool hd_causes_have(const struct hd_causes *causes, uint32_t step);

/* Appends a cause as one or two sentences, without a full stop. */
void hd_cause_words(struct hd_str *out, const struct hd_cause *cause, const struct hd_run *run,
                    struct hd_program *program);

/* The causes as a paragraph; without `text->whole` the first ones. */
void hd_causes_text(const struct hd_terminal *text, const struct hd_run *run,
                    struct hd_program *program);

/* Appends a field "why" with all of them; nothing if there is none. */
void hd_causes_json(struct hd_str *out, const struct hd_run *run, struct hd_program *program);

#endif
