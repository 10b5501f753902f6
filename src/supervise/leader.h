/* A rank that keeps a part of the work of a distributed search (cli/rank_leader.c): it hands
 * out units to its members, and takes units from other leaders when it has none.  Sending and
 * receiving is its caller's, so that bench/scale_out.c simulates many ranks with this code.
 *
 * Work stealing (Blumofe and Leiserson 1999): a leader with idle members and no units asks
 * another one, chosen at random, which gives half of the units that wait there, those nearest
 * to the root first.  If it gives none, the next is asked after a pause that doubles.
 *
 * The end is found by rank 0, which asks all leaders in rounds (Mattern 1987, the method of
 * four counters): nothing is left if in a round all are quiet, as many units were taken as
 * given, and no more than in the round before. */
#ifndef HD_SUPERVISE_LEADER_H
#define HD_SUPERVISE_LEADER_H

#include "base/err.h"
#include "base/rng.h"
#include "supervise/pool.h"

#include <stdbool.h>

#define HD_GROUP 64 /* ranks with one leader, unless --group says another number */

/* Groups of about so many ranks, two at least; the first rank of each is its leader. */
uint32_t hd_groups(uint32_t n_ranks, uint32_t size);
uint32_t hd_group_leader(uint32_t n_ranks, uint32_t n_groups, uint32_t group);

struct hd_leader_ops { /* each returns 0, or -1 with err */
    int (*explore)(void *context, uint32_t member, void *unit, double seconds,
                   struct hd_err *err);
    int (*ask)(void *context, uint32_t leader, struct hd_err *err);
    int (*give)(void *context, uint32_t leader, void **units, uint64_t n, struct hd_err *err);
};

struct hd_leader {
    const struct hd_leader_ops *ops;
    void *context;
    uint32_t me, n_leaders; /* leaders are numbered from 0 */
    uint32_t n_members;
    struct hd_pool waiting;
    uint32_t *idle; /* members, the longest idle first */
    uint32_t n_idle, n_busy;
    bool closed;          /* nothing more is handed out, taken or given */
    bool asking;          /* another leader has not answered yet */
    uint32_t n_refused;   /* in a row */
    double began;         /* the first act; 0: not yet */
    double ask_at;        /* not before */
    double starved_until; /* members elsewhere have nothing to do: units are cut soon */
    uint64_t given, taken;
    struct hd_rng rng;
};

void hd_leader_init(struct hd_leader *leader, uint32_t me, uint32_t n_leaders,
                    uint32_t n_members);
void hd_leader_release(struct hd_leader *leader); /* whoever owns the units takes them before */

/* A unit waits; a member has nothing to do, for the first time or after a unit. */
void hd_leader_add(struct hd_leader *leader, void *unit, uint64_t bytes);
void hd_leader_idle(struct hd_leader *leader, uint32_t member, bool was_busy);

/* Another leader asks.  It is answered in any case. */
int hd_leader_asked(struct hd_leader *leader, uint32_t by, double now, struct hd_err *err);
/* Our question was answered with n units, which have been added. */
void hd_leader_answered(struct hd_leader *leader, uint64_t n, double now);

/* Hand out what can be handed out, and ask if it is time to. */
int hd_leader_act(struct hd_leader *leader, double now, struct hd_err *err);
/* Does it want to ask, but not yet?  Then hd_leader_act() is due at ask_at. */
bool hd_leader_pauses(const struct hd_leader *leader);

/* Nothing is explored here, and nothing will be unless units are taken. */
bool hd_leader_quiet(const struct hd_leader *leader);

/* ---- rounds of rank 0 ---- */

struct hd_survey {
    uint64_t round;                /* that is under way, from 1; 0: none yet */
    uint32_t n_leaders, n_answers; /* of this round */
    bool quiet;                    /* all of them, in this round */
    uint64_t given, taken, before; /* sums; taken in the round before */
};

/* Begins a round if the one before is over; returns whether it did. */
bool hd_survey_begin(struct hd_survey *survey);
/* Answers of other rounds than this are not counted. */
void hd_survey_answer(struct hd_survey *survey, uint64_t round, bool quiet, uint64_t given,
                      uint64_t taken);
/* Is the search over? */
bool hd_survey_over(const struct hd_survey *survey);

#endif
