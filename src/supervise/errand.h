/* Messages between the ranks of a distributed search (cli/distributed.c): a unit to explore,
 * and what came of it.  Files travel as they are on disk, sealed (sealed.h). */
#ifndef HD_SUPERVISE_ERRAND_H
#define HD_SUPERVISE_ERRAND_H

#include "base/err.h"
#include "base/ranks.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_errand_kind {
    HD_ERRAND_ASK,    /* a rank has nothing to do */
    HD_ERRAND_UNIT,   /* explore the first file for so many milliseconds */
    HD_ERRAND_RESULT, /* files: units that are left, and last the result */
    HD_ERRAND_FAILED, /* `text` says why there is none */
    HD_ERRAND_STOP,   /* there is no more to do; what is being explored is cut */
    HD_ERRAND_STEAL,  /* a leader has no units for its members */
    HD_ERRAND_GIVE,   /* `text`: units in the ledger, a line each: name, bytes, share */
    HD_ERRAND_ROUND,  /* rank 0 to a leader: how far are you? */
    HD_ERRAND_FAR,    /* the answer */
    HD_ERRAND_LEAVE,  /* a member was interrupted; it explores nothing more */
    HD_N_ERRANDS
};

/* How far a leader is. */
struct hd_errand_far {
    uint64_t round;        /* the question's number, also in the question */
    uint64_t given, taken; /* units, to and from other leaders */
    uint64_t done, waiting, busy;
    double share; /* of everything, 0 to 1, that this group has explored */
    bool quiet;
};

struct hd_errand {
    uint32_t kind;
    bool broke;            /* a violation ended the search; in a round: stop soon */
    uint32_t signal;       /* that interrupted the sender, or a member of it; 0: none */
    uint64_t milliseconds; /* of a unit: its budget; of an answer: what was explored in */
    uint64_t executions;   /* of a result, or of all results of a leader */
    struct hd_errand_far far;
    struct hd_str text; /* the unit's name, or what went wrong */
    uint32_t n_files;
    struct hd_errand_file {
        char name[96];
        struct hd_str bytes;
    } *files;
};

void hd_errand_init(struct hd_errand *errand, enum hd_errand_kind kind);
void hd_errand_release(struct hd_errand *errand);

/* Add a file of the directory; write the files into one. */
int hd_errand_add(struct hd_errand *errand, const char *directory, const char *name,
                  struct hd_err *err);
int hd_errand_save(const struct hd_errand *errand, const char *directory, struct hd_err *err);

/* Appends the bytes; they begin with a version and end with a hash. */
void hd_errand_write(const struct hd_errand *errand, struct hd_str *bytes);
/* Refuses what is damaged, or of another version. */
int hd_errand_read(struct hd_errand *errand, void *bytes, size_t n, struct hd_err *err);

int hd_errand_send(const struct hd_ranks *ranks, int to, const struct hd_errand *errand,
                   struct hd_err *err);
/* As ranks->receive(); the caller releases the errand that was received. */
int hd_errand_receive(const struct hd_ranks *ranks, int milliseconds, int *from,
                      struct hd_errand *errand, struct hd_err *err);

#endif
