/* The explorer's view of what it explores.
 *
 * Control is the world's (SCALE Algorithm 7 turned inside out, because the scheduler runs on
 * the stack of the thread that has just made a step): at every scheduling point the world calls
 * hd_explorer_decide() with the current config and does what the decision says.
 *
 *   RUN thread, choice     let that thread do its next action and run to its following one
 *   REWIND depth           bring back the state before step `depth`, or before an earlier one,
 *                          say which with hd_explorer_rewound(), and ask again
 *   STOP                   the exploration is over
 *
 * The fiber runtime is one world; tests have a fake one of arrays. */
#ifndef HD_EXPLORE_LOOP_WORLD_H
#define HD_EXPLORE_LOOP_WORLD_H

#include "core/action.h"
#include "core/finding.h"
#include "core/frame.h"
#include "core/site.h"
#include "core/tset.h"

/* SCALE Def. 12.  The world keeps it up to date in place. */
enum {
    HD_WATCHES_INVARIANTS = 1,
    HD_WATCHES_TARGETS = 2,
    HD_WATCHES_WRITES = 4, /* to memory that invariants read and that does not exist yet */
};

struct hd_config {
    uint32_t n_threads; /* ids in use: 0 … n_threads - 1 */
    uint32_t last;      /* thread of the last step; 0 at the root */
    struct hd_tset live;
    struct hd_tset enabled;       /* a subset of live */
    const struct hd_action *next; /* by thread id; of live threads */
    uint32_t invariants;          /* HD_WATCHES_*; not 0: ask hd_world.broken in every state */
    uint32_t one_way; /* no action of this process has had more than one choice; 0: not known */
    uint64_t seen;    /* a hash of what the invariants read, and found */
    const struct hd_tset *sections; /* threads that hold a part of a mutex (core/lock_parts.h);
                                       NULL: none ever does */
    uint64_t section; /* the lock that stands for atomic sections in a graph; 0: none yet */
};

/* The threads, by bit, of 64 from 64 * i on, that are held for ever by an assumption that does
 * not hold (docs/design/017-assumptions.md).  If the action has a size, the thread was in an
 * atomic section, which has been taken back. */
static inline uint64_t hd_config_held(const struct hd_config *config, uint32_t i)
{
    uint64_t held = 0;
    for (uint64_t w = config->live.w[i] & ~config->enabled.w[i]; w; w &= w - 1)
        if (config->next[i * 64 + (uint32_t)__builtin_ctzll(w)].op == HD_OP_ASSUME)
            held |= w & -w;
    return held;
}

/* Does a thread stand at an operation of that row, which is never enabled? */
static inline bool hd_config_stands(const struct hd_config *config, enum hd_op op)
{
    for (uint32_t i = 0; i < hd_tset_words(config->n_threads); i++)
        for (uint64_t w = config->live.w[i] & ~config->enabled.w[i]; w; w &= w - 1)
            if (config->next[i * 64 + (uint32_t)__builtin_ctzll(w)].op == op)
                return true;
    return false;
}

/* Is a thread held by an assumption inside a section? The step that began the section has had
 * no effect, and it need not have been made: the same execution is explored without it. */
static inline bool hd_config_undid(const struct hd_config *config)
{
    uint32_t i = 0;
    do { /* there is a thread */
        for (uint64_t w = hd_config_held(config, i); w; w &= w - 1)
            if (config->next[i * 64 + (uint32_t)__builtin_ctzll(w)].size)
                return true;
    } while (++i * 64 < config->n_threads);
    return false;
}

/* What a step has changed, where the parts of threads are looked at one by one (symmetry.h). */
struct hd_symmetry_change {
    uint64_t memory[2];
    struct hd_tset
        changed; /* threads with something else on their stacks, or another next action */
    struct {
        uint64_t own[2];
        int32_t mentions; /* words elsewhere that lead into its part: how many more */
    } by[HD_MAX_THREADS];
};

struct hd_world {
    void *self;
    struct hd_config *config;
    /* Abort unless the world's own invariants hold; asked at every step with --paranoid.  NULL:
     * there are none. */
    void (*check)(void *self);
    /* A bug in heddle: `what` does not hold.  Ends the process.  NULL: abort() does. */
    void (*bug)(void *self, const char *what);
    /* The outcome that the next action of an enabled thread would have now: the operation
     * itself, or the row after it (CAS_FAIL, TRYLOCK_FAIL …). */
    enum hd_op (*outcome)(void *self, uint32_t thread);
    /* The state of a synchronisation object in 64 bits (core/enabled.h). */
    uint64_t (*sync_state)(void *self, uint64_t object);
    /* What a pending compare-exchange expects.  Of an RMW that commutes: its operand.  Of an
     * AWAIT: what was at its two places when it looked, 0 for none. */
    void (*expected)(void *self, uint32_t thread, uint64_t out[2]);
    /* What the thread would read in `size` (at most 16) bytes at `addr` now.  With expected()
     * this tells how its compare-exchange or AWAIT would turn out. */
    void (*peek)(void *self, uint32_t thread, uint64_t addr, uint32_t size, uint64_t out[2]);
    /* The signals that are pending for the process, by bit.  Is a signal pending that the
     * thread would handle (runtime/interrupt.c)?  NULL: there are none. */
    uint64_t (*signals_of_process)(void *self);
    bool (*is_signalled)(void *self, uint32_t thread);
    /* The thread that the given choice of an operation wakes (a signal, a futex wake, a
     * cancellation); ~0u for other operations. */
    uint32_t (*chosen)(void *self, uint32_t thread, uint32_t choice);
    /* The local state of a live thread (SCALE Def. 22) as 128 bits of hash: equal for equal
     * states.  It covers everything of the thread that is no communication variable (its frames
     * and registers, its thread-local variables, what it has allocated) and its next action.
     * The hashes of two threads differ. */
    void (*local_state)(void *self, uint32_t thread, uint64_t out[2]);
    /* What has changed in the memory that belongs to no thread since the state before step
     * `since` of the path, a step with a decision.  The hash of that state, xor this, is the
     * hash of the current state, whatever path led to it.  Threads whose local state or next
     * action was changed by others are added to `threads`.  False if a step ran code whose
     * effects are not known. */
    bool (*state_change)(void *self, uint32_t since, uint64_t out[2], struct hd_tset *threads);
    /* The bytes of which local_state() and state_change() are hashes: the local state of a
     * thread with its next action; for ~0u the memory that belongs to no thread, as far as it
     * differs from the root's.  Returns their number; they are valid until the next call. */
    uint64_t (*state_bytes)(void *self, uint32_t thread, const char **bytes);
    /* For --symmetric (symmetry.h). symmetry_class: equal for threads that are interchangeable,
     * 0 for a thread that is like no other. symmetry_change: what the last step has changed;
     * false if that is not known. symmetry_local: the stack, thread-local block and next action
     * of a live thread, and which threads' memory their pointers lead to. is_joined: has it
     * been joined? is_published: may other threads than its creator see its id?
     * distinguished_by: what the program has used that tells threads apart, or NULL. */
    uint64_t (*symmetry_class)(void *self, uint32_t thread);
    bool (*symmetry_change)(void *self, struct hd_symmetry_change *out);
    void (*symmetry_local)(void *self, uint32_t thread, uint64_t out[2], struct hd_tset *leads);
    bool (*is_joined)(void *self, uint32_t thread);
    bool (*is_published)(void *self, uint32_t thread);
    const char *(*distinguished_by)(void *self);
    /* Has the memory of the action's first object ended (core/touch.h)? NULL: none ever
     * does. */
    bool (*gone)(void *self, const struct hd_action *action);
    /* Is this byte of memory part of what local_state() looks at: on the thread's own stack? */
    bool (*is_local)(void *self, uint32_t thread, uint64_t addr);
    /* The calls that a live thread stands in: their sites, innermost first; returns how many.
     * NULL: not known. */
    uint32_t (*stack)(void *self, uint32_t thread, uint32_t sites[HD_MAX_FRAMES]);
    /* Can a thread other than this one reach the byte through pointers?  NULL: it can. */
    bool (*reached)(void *self, uint32_t thread, uint64_t addr);
    /* May a thread be cancelled while it waits?  NULL: it may. */
    bool (*cancels)(void *self);
    /* May anything but a join observe when a thread ends?  NULL: nothing may. */
    bool (*looks_at_ends)(void *self);
    /* May anything but a join be done to a thread (pthread_cancel, pthread_kill)?  NULL:
     * nothing may. */
    bool (*uses_threads)(void *self);
    /* remember_end: the thread has joined the threads of that set, the last that were there,
     * and ended the execution since it came to the first of these joins; remember what else
     * that follows from, beside its own state.  False: that is not known.  is_end_known: it
     * stands at that join, and the others have ended: would it do the same again?  NULL:
     * nothing is known. */
    bool (*remember_end)(void *self, uint32_t thread, uint64_t row);
    bool (*is_end_known)(void *self, uint32_t thread);
    /* May threads be moved from one futex to another?  NULL: they are not. */
    bool (*requeues)(void *self);
    bool (*is_futex)(void *self, uint64_t object);
    /* Is the object a mutex that threads lock, unlock and wait for, and does nothing else tell
     * them whether it is locked?  NULL: none is. */
    bool (*only_waited_for)(void *self, uint64_t object);
    /* May the contents of memory decide the outcome of a step (a compare-exchange, an AWAIT)?
     * NULL: they may. */
    bool (*compares)(void *self);
    /* The rule of options.suppressions for a data race of the access at that site of the byte,
     * + 1; 0: there is none.  *of_object: the rule is about the byte, so that the same site
     * may have other races.  NULL: there is none. */
    uint32_t (*suppressed)(void *self, uint32_t site, uint64_t addr, bool *of_object);
    /* Is the failed attempt at that site in a function that retries and is known to succeed in
     * the end (std::lock)?  NULL: none is. */
    bool (*backs_off)(void *self, uint32_t site);
    /* The threads that may end the wait of a thread that cannot move, also by starting others;
     * there is no other way to end it.  False if that is not known.  NULL: it is never
     * known. */
    bool (*wakers)(void *self, uint32_t thread, struct hd_tset *out);
    /* By site: facts about the code (core/site.h); their number.  NULL: nothing is known. */
    const struct hd_site_wakers *(*facts)(void *self, uint32_t *n);
    /* The first invariant that does not hold in the current state, -1 when all hold;
     * HD_TARGETS_REACHED when threads stand at all targets.  Asked only while
     * config->invariants is set. */
    int32_t (*broken)(void *self);
    /* No thread can move.  Is that because a thread waits as if there were no time
     * (options.polls)?  NULL: it is not. */
    bool (*cut)(void *self);
    /* judges: does the program say itself which deadlocks are violations?  NULL: it does not.
     * allows: no thread can move, and this is none.  NULL: it is one. */
    bool (*judges)(void *self);
    bool (*allows)(void *self);
    /* A name of a synchronisation object that does not depend on where it lies.  NULL: none
     * has. */
    void (*name)(void *self, uint64_t object, struct hd_name *out);
    /* Complete a finding made by the explorer (deadlock, invariant): place, message,
     * standings. */
    void (*describe)(void *self, struct hd_finding *finding);
};

#define HD_TARGETS_REACHED INT32_MAX

/* Do `thread` and others wait for each other, each for a lock that the next one holds or for
 * its end?  Then none of them can ever move again.  Returns their number, 0 if there is no such
 * cycle. threads[HD_MAX_THREADS], unless NULL, gets them, beginning with the lowest id, each
 * followed by the one it waits for. */
uint32_t hd_wait_cycle(const struct hd_world *world, uint32_t thread, uint32_t *threads);

/* The threads that wait and can never be woken, because only threads among them could do it.
 * Returns their number. */
uint32_t hd_stuck_threads(const struct hd_world *world, struct hd_tset *stuck);

enum hd_decision_kind { HD_RUN, HD_REWIND, HD_STOP };

struct hd_decision {
    uint32_t kind; /* enum hd_decision_kind */
    uint32_t arg;  /* RUN: HD_STEP_PACK(thread, choice); REWIND: depth */
};

#endif
