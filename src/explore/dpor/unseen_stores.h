/* Questions of the reduction with observers (filters/observers.c) about sequences of steps:
 * which stores are seen in them, which threads stay asleep along them, which sequence is a
 * prefix of another.
 *
 * A store is *blind* if it writes some bytes and reads nothing.  It is *unseen* when the next
 * step that touches one of the bytes is a store of exactly the same ones: the order of unseen
 * stores of the same bytes changes nothing.  Until the next step that touches its bytes is
 * known, a store counts as unseen. */
#ifndef HD_EXPLORE_DPOR_UNSEEN_STORES_H
#define HD_EXPLORE_DPOR_UNSEEN_STORES_H

#include "core/tset.h"
#include "explore/loop/explorer.h"

struct hd_turn { /* one step of a sequence */
    struct hd_action action;
    uint32_t thread;
    uint32_t chosen; /* the waiter of a signal, or the choice */
    bool alone;      /* no other thread is there: what has been stored may have been seen */
    bool taken;      /* matched with a branch of a wakeup tree */
};

struct hd_sequence {
    struct hd_turn *turns;
    uint32_t n;
    bool whole; /* the program ends after it, where everything is seen */
};

/* Threads asleep, as in sleep.h, with one difference.  A thread whose next step is a store
 * stays asleep after another thread's store of the same bytes only as long as no step reads
 * them: its own store after the other's is worth exploring if it is seen then. */
struct hd_sleepers {
    uint32_t n, n_due;
    struct hd_sleeper {
        struct hd_action action;
        uint32_t thread;
        bool unless_seen;
    } all[HD_MAX_THREADS];
    struct hd_action due[HD_MAX_THREADS]; /* stores of sleepers that must be seen now */
};

static inline bool hd_unseen_stores_blind(const struct hd_action *a)
{
    return (a->op == HD_OP_WRITE || a->op == HD_OP_ATOMIC_WRITE) && a->size <= 16 && !a->object2;
}

static inline bool hd_unseen_stores_same_bytes(const struct hd_action *a,
                                               const struct hd_action *b)
{
    return a->object == b->object && a->size == b->size;
}

/* The action as it is while nobody has seen it. */
static inline struct hd_action hd_unseen_stores_unseen(const struct hd_action *a)
{
    struct hd_action unseen = *a;
    if (hd_unseen_stores_blind(a))
        unseen.size2 = HD_COMMUTES_UNSEEN;
    return unseen;
}

/* Mark which stores of the sequence are seen. */
void hd_unseen_stores_sequence(struct hd_sequence *s);

void hd_sleepers_add(struct hd_sleepers *s, uint32_t thread, const struct hd_action *action);

/* The sleepers after a step; `alone`: its thread is the only one.  Returns false if the step
 * need not be made, because everything that begins so has been explored. */
bool hd_sleepers_pass(struct hd_sleepers *s, uint32_t thread, const struct hd_action *action,
                      bool alone);

/* Does the sequence wake all sleepers, so that something in it has not been explored?
 * Afterwards `s` holds the sleepers at the end of the sequence. */
bool hd_sleepers_wake(struct hd_sleepers *s, const struct hd_sequence *sequence);

/* Can the step begin what is left of the sequence, or is it independent of it?  Then it is
 * taken out of the sequence. */
bool hd_sequence_match(struct hd_sequence *s, uint32_t thread, uint32_t chosen,
                       const struct hd_action *action);

#endif
