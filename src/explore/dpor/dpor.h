/* What the dynamic partial order reductions have in common: happens-before with its races,
 * sleep sets, and which races an execution has.
 *
 * A reduction (filters/dpor.c, source.c, optimal.c) starts a node with one thread and answers
 * every race (e, e') by opening something at the node of e.  Besides the races between events
 * there are:
 *
 *  - a thread blocked at a lock when the execution is over, against the acquisition that blocks
 *    it
 *  - the end of the process, and a step that breaks the program: both end all threads, so they
 *    are dependent with every thread's last event, and with the next action of every thread
 *    that could still have moved */
#ifndef HD_EXPLORE_DPOR_DPOR_H
#define HD_EXPLORE_DPOR_DPOR_H

#include "core/enabled.h"
#include "explore/dpor/sleep.h"
#include "explore/loop/filter.h"
#include "explore/order/hb.h"

struct hd_dpor;
struct hd_late;

/* A reduction's answer to the race of event e with the late half. */
typedef void hd_dpor_race_fn(void *reduction, struct hd_explorer *ex, uint32_t e,
                             const struct hd_late *late);

struct hd_dpor {
    hd_dpor_race_fn *answer; /* for a reduction that answers races while they happen */
    struct hd_hb hb;
    const struct hd_explorer *ex; /* its path has the events */
    struct hd_sleep sleep;
    uint8_t needs[HD_OP_COUNT]; /* what is to be known of the world before a step (dpor.c) */
    struct hd_dpor_value {      /* by depth, of small memory operations: */
        uint64_t before[2];     /* what the object held before the step */
        uint64_t expected[2];   /* of a compare-exchange; the operand of what commutes */
    } *values;
};

/* The second half of a race: an event, or the pending action of a thread.  The action is what
 * it will be when it comes first: a compare-exchange or trylock may turn out otherwise than it
 * did.  A step that broke the program is dependent with everything, as the end of the process
 * is: its action is END. */
struct hd_late {
    uint32_t thread;
    uint32_t event; /* HD_NO_EVENT: pending */
    bool newest;    /* the first half is the newest event that the late one races with */
    bool whole;     /* what comes after the late event belongs to the reversal, too */
    struct hd_action action;
};

/* Must event f, which does not happen after the first half, come before the late half? (Asked
 * of the actions, not of the late event's clock: it may turn out otherwise.) */
bool hd_dpor_before_late(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t f,
                         const struct hd_late *late);

bool hd_dpor_init(struct hd_dpor *d, struct hd_explorer *ex);
/* A step is about to run.  `clear`: no thread sleeps before the step or has been explored
 * there, and the sets after it are empty. */
void hd_dpor_ran(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth, bool clear);

/* The same for a step of the most frequent kinds.  Returns false, having done nothing, if the
 * step is of another kind. */
bool hd_dpor_quick(struct hd_dpor *d, struct hd_explorer *ex, uint32_t depth);

/* Can no thread repeat the operation for ever? */
HD_HOT bool hd_dpor_op_goes_on(uint16_t op) { return hd_op_traits[op] & HD_OPTRAIT_GOES_ON; }

/* Does a thread hold a part of a mutex (core/lock_parts.h)?  It goes on before all others. */
static inline bool hd_dpor_in_section(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    return __builtin_expect(config->sections != NULL, 0) &&
           !hd_tset_empty(config->sections, hd_tset_words(config->n_threads));
}

/* Executions are cut after a number of steps.  A thread that has been alone for `patience`
 * steps lets another run; a loop that waits for others would use up all steps. */
static inline bool hd_dpor_was_alone(const struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth, n = ex->patience;
    if (__builtin_expect(depth < n, 1) || depth % n)
        return false;
    for (uint32_t i = 1; i < n; i++)
        if (HD_STEP_THREAD(ex->path.steps[depth - i]) !=
            HD_STEP_THREAD(ex->path.steps[depth - i - 1]))
            return false;
    return true;
}

/* At a new node: keep the alternatives of one thread that is awake, and return their number. */
uint32_t hd_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts, uint32_t n);

/* The threads awake at the new node, by bit.  For up to 64 threads. */
uint64_t hd_dpor_awake(const struct hd_dpor *d, const struct hd_explorer *ex);

/* May the thread go on without a decision?  Yes if hd_dpor_admit() would take it, or if it
 * stands at an operation that it cannot repeat for ever.  `awake` are the threads that are
 * awake, by bit. */
bool hd_dpor_goes_on(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t thread);
bool hd_dpor_goes_on_among(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t thread,
                           uint64_t awake);

/* The thread that hd_dpor_admit() would take, HD_NO_SINGLE if there is none.  For up to 64
 * threads. */
uint32_t hd_dpor_single(struct hd_dpor *d, const struct hd_explorer *ex);
uint32_t hd_dpor_single_among(const struct hd_dpor *d, const struct hd_explorer *ex,
                              uint64_t awake);

/* dpor_many.c: the same for any number of threads. */
void hd_dpor_awake_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                              struct hd_tset *awake);
bool hd_dpor_goes_on_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                                uint32_t thread, const struct hd_tset *awake);
uint32_t hd_dpor_single_among_many(const struct hd_dpor *d, const struct hd_explorer *ex,
                                   const struct hd_tset *awake);
/* Has every thread that is enabled an event? */
bool hd_dpor_many_have_moved(const struct hd_dpor *d, const struct hd_explorer *ex);

/* Report the races of event `event`. */
void hd_dpor_races_of(struct hd_dpor *d, struct hd_explorer *ex, uint32_t event, void *reduction,
                      hd_dpor_race_fn *race);

/* Report, at the end of an execution, the races whose late half turns out otherwise when it
 * comes first.  A reduction that answers races while they happen needs it: a compare-exchange
 * that failed was independent of a read that came later, and is not when it succeeds. */
void hd_dpor_changed_races(struct hd_dpor *d, struct hd_explorer *ex, void *reduction,
                           hd_dpor_race_fn *race);

/* The late half of the race hb.races[i]. */
struct hd_late hd_dpor_late(const struct hd_dpor *d, const struct hd_explorer *ex, uint64_t i);

/* The execution is over, by a violation or not: report the races that its end makes. */
void hd_dpor_races_of_end(struct hd_dpor *d, struct hd_explorer *ex,
                          const struct hd_finding *finding, void *reduction,
                          hd_dpor_race_fn *race);

/* The threads that can begin notdep(e) followed by the late half.  `*first` is one of them, the
 * late half's thread if possible. */
struct hd_tset hd_dpor_initials(struct hd_dpor *d, const struct hd_explorer *ex, uint32_t e,
                                const struct hd_late *late, uint32_t *first);

/* Make node e a source set for the reversal: open one of `initials`, preferably `first`, unless
 * one is open or asleep there. */
void hd_dpor_open_one(struct hd_dpor *d, struct hd_explorer *ex, uint32_t e,
                      const struct hd_tset *initials, uint32_t first);

/* dpor_live.c: all functions of a filter that answers races while they happen, except its
 * answer. */
void *hd_dpor_live_create(struct hd_explorer *ex, hd_dpor_race_fn *answer);
uint32_t hd_dpor_live_admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n);
bool hd_dpor_live_goes_on(void *self, struct hd_explorer *ex, uint32_t thread);
uint32_t hd_dpor_live_single(void *self, struct hd_explorer *ex);
void hd_dpor_live_ran(void *self, struct hd_explorer *ex, uint32_t depth);
void hd_dpor_live_back(void *self, struct hd_explorer *ex, uint32_t depth);
void hd_dpor_live_ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
void hd_dpor_live_pack(void *self, struct hd_explorer *ex, struct hd_pack *p);
void hd_dpor_live_share(void *self, struct hd_explorer *ex, uint32_t depth,
                        struct hd_shared_tree_node *node);
void hd_dpor_live_adopt(void *self, struct hd_explorer *ex, uint32_t depth,
                        const struct hd_shared_tree_node *node, bool anew);

#endif
