/* Notes: what executions did that the verdict has to name.  Places are counted where they are
 * reached, so that code which no execution reaches costs nothing.
 *
 * The instrumenter puts a call of __heddle_reached() (core/abi.h) before each; the site it
 * gives has the name of the function or instruction as its variable.  The table is the
 * worker's, in memory that no rollback brings back. */
#ifndef HD_CORE_NOTES_H
#define HD_CORE_NOTES_H

#include <stdbool.h>
#include <stdint.h>

enum hd_note_kind {
    HD_NOTE_NONE,
    HD_NOTE_EXTERNAL,     /* a call whose effects are not known */
    HD_NOTE_ASSEMBLY,     /* inline assembly that may touch memory */
    HD_NOTE_UNCONTROLLED, /* an instruction whose result differs between runs: rdtsc */
    HD_NOTE_WEAK,         /* an atomic operation weaker than seq_cst */
    HD_NOTE_VOLATILE,     /* a volatile access that counted as atomic */
    HD_NOTE_INPUT,        /* standard input, which is empty */
    HD_NOTE_RANDOM,       /* a random number, of a fixed sequence */
    HD_NOTE_TIME,         /* the clock, which is a model's */
    HD_NOTE_WROTE,        /* unknown code got an address: what it wrote is not known */
    HD_NOTE_ROOM,         /* an allocation found no room in the model's heap */
    HD_NOTE_WAIT,         /* a wait that relies on being signalled (instrument/waits.h) */
    HD_NOTE_THREADS,      /* a thread that was not created (options.threads) */
    HD_NOTE_SUPPRESSED,   /* a data race of `site` and `other` that a rule suppresses */
    HD_NOTE_TICKS,        /* a periodic timer: how often it has expired when it is read */
    HD_NOTE_FORK,         /* a child that was not followed */
    HD_NOTE_CANCELLED,    /* a wait in which a thread was cancelled */
    HD_NOTE_ERRNO,        /* a signal was sent whose handler changed errno */
    HD_NOTE_CHOSEN,       /* chosen input (options.input) was read */
    HD_NOTE_CLOSED,       /* a call found the number of a descriptor closed */
    HD_NOTE_MODELLED,     /* a pipe, socket or the like was made, whose number is the model's */
    HD_NOTE_OPENED,       /* a descriptor of the kernel's was duplicated or closed */
    HD_NOTE_ERRNO_TAKEN,  /* the address of errno is taken, and given to somebody */
    HD_NOTE_MOVED,        /* standard output was moved while others might write there */
    HD_NOTE_UNMAPPED,     /* a call about a mapping found none */
    HD_NOTE_MAPPED,       /* memory was mapped after threads had begun */
    HD_NOTE_COUNT
};

struct hd_note {
    uint32_t kind; /* HD_NOTE_NONE: an empty place of the table */
    uint32_t site, other;
    uint32_t rule; /* of options.suppressions, + 1; 0: none */
    uint64_t n;    /* how often it was reached, executions that were begun again included */
};

#define HD_MAX_NOTES 1024u /* a power of two */

struct hd_notes {
    uint64_t lost[HD_NOTE_COUNT]; /* reached where the table had no room */
    struct hd_note at[HD_MAX_NOTES];
};

void hd_notes_add(struct hd_notes *notes, uint32_t kind, uint32_t site, uint64_t n);
/* The same, with everything that distinguishes notes. */
void hd_notes_take(struct hd_notes *notes, const struct hd_note *note);
void hd_notes_merge(struct hd_notes *sum, const struct hd_notes *notes);

/* Was something of the kind reached? */
bool hd_notes_any(const struct hd_notes *notes, enum hd_note_kind kind);

#endif
