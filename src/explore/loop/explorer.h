/* The explorer: the loop of SCALE's Algorithm 2 as a state machine that the world drives.  It
 * makes the decisions; of the world it knows threads and actions only.
 *
 * Everything it keeps lies in an arena of tool memory (never rolled back).  In the fiber
 * runtime that arena is shared with the supervisor and mapped at a fixed address, so that a new
 * worker can go on with it: hd_explorer_revive(). */
#ifndef HD_EXPLORE_LOOP_EXPLORER_H
#define HD_EXPLORE_LOOP_EXPLORER_H

#include "base/rng.h"
#include "core/arena.h"
#include "core/enabled.h"
#include "core/worker_memory.h"
#include "explore/loop/check.h"
#include "explore/loop/estimate.h"
#include "explore/loop/fast_path.h"
#include "explore/loop/path.h"
#include "explore/loop/world.h"

#define HD_MAX_CHAIN 8

struct hd_filter;
struct hd_hb;
struct hd_split;
struct hd_search_ops;

#define HD_DECIDED 65536u

#define HD_EXPLORER_GUARD 0x68656464a5a5a5a5ull

#define HD_LEADS_ON (~0u)

/* Depths of the path at which something changes.
 *
 * Invariants (hd_explorer_check):
 *  M1  base <= n_nodes; counted, target <= n_nodes
 *  M2  notified <= depth, and notify_until <= depth: the filters have been told of steps [0,
 *      notified), in order.  They are told of those in [notified, notify_until) before the
 *      execution is over; those after it may be left out
 *  M3  fast_until is 0 or single_until
 *  M4  from clear_from on no thread sleeps and no branch of a wakeup tree is followed */
struct hd_marks {
    uint32_t base;    /* nodes above this depth belong to all workers (split.h); 0 when alone */
    uint32_t counted; /* steps below it have happened before: they are checked, not counted */
    uint32_t target;  /* decisions below this depth do recorded steps */
    uint32_t notified, notify_until;
    uint32_t single_until; /* before this depth, nodes of one alternative may be made */
    uint32_t fast_until;   /* and this depth, by the fast path of a filter (fast_path.h) */
    uint32_t clear_from;   /* ~0u: not known */
};

/* For an explorer that was stopped between two executions: has it turned to the next one? */
enum hd_settled {
    HD_NOT_SETTLED,
    HD_SETTLED_NEXT,  /* nodes [0, target) lead to it */
    HD_SETTLED_OVER,  /* nothing is open any more */
    HD_SETTLED_WAITS, /* one of several, without a part of the tree */
    HD_SETTLED_MOST = HD_SETTLED_WAITS,
};

struct hd_explorer {
    uint64_t guard; /* HD_EXPLORER_GUARD: checked after every execution */
    struct hd_worker_memory *shared;
    struct hd_counters *cnt;
    const struct hd_options *opt;
    struct hd_world world;
    struct hd_arena arena;
    struct hd_path path;
    struct hd_rng rng;
    const struct hd_search_ops *search;
    void *search_state; /* what it keeps; NULL: nothing */
    /* For a reduction that begins a node with any one thread: the alternative among these, by
     * its number, whose thread that is.  NULL: the reduction chooses. */
    uint32_t (*prefer)(struct hd_explorer *ex, const uint32_t *alts, uint32_t n);
    uint32_t n_filters;
    const struct hd_filter *filters[HD_MAX_CHAIN]; /* by stage */
    void *filter_state[HD_MAX_CHAIN];
    struct hd_check_set checks;
    struct hd_hb *hb; /* of the filter that keeps one, or of the check for races; NULL */
    /* Only some successors of the new node are explored from here, the others from an ancestor:
     * it does not count as visited. */
    bool partial;
    uint64_t state[2]; /* the hash of the new node's state, if state_known */
    bool start_again;  /* asked for by a filter: everything is to be explored again */
    bool state_known;
    bool state_met; /* the state was visited before */
    uint32_t
        leads_back; /* to this depth of the path, where a component begins that is not complete;
                       HD_LEADS_ON: to none */
    uint32_t n_ran; /* filters that are told of every step */
    struct {
        void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
        uint32_t filter;
    } ran[HD_MAX_CHAIN];
    uint32_t hear_end, hear_back, hear_turn; /* filters that are told of these, by bit */
    bool goes_beyond;                        /* options.max_work, as the end was near then */
    bool limited;           /* the exploration may end before everything is explored */
    uint32_t chooser;       /* if `may_go_on`: the filter that decides who goes on */
    struct hd_split *split; /* one worker of several; NULL: alone */
    bool may_go_on;         /* threads may go on without a decision */
    bool is_drawn;          /* the execution is the first, and its steps are drawn at random */
    bool decides_each;      /* every step is decided, at a node of its own */
    bool plain_steps;  /* of a search over graphs: a step may have been half of a data race */
    bool watched;      /* steps are digested, or the explorer checks itself */
    uint32_t patience; /* steps that a thread may make alone in a row (dpor.c) */
    struct hd_marks marks;
    struct hd_decision (*decide)(struct hd_explorer *ex); /* where there is no fast path */
    const struct hd_fast_path *fast; /* of the filter that may take steps itself; NULL: none */
    const struct hd_fast_path *many; /* the same for more than 64 threads; NULL: none */
    void *fast_self;                 /* what that filter keeps */
    bool stop_here; /* a violation ended no execution: stop when this one is over */
    bool ends_all;  /* when the search is over, so it is for the other workers */
    uint32_t
        stop_as; /* enum hd_state in which a check asks for the exploration to end; 0: none */
    uint64_t none_hidden; /* steps, and one, when that was found of a new node (scale.h) */
    bool raced;           /* a data race has been found in some execution */
    uint32_t first_race;  /* steps of the path up to its first data race by order; 0: none */
    uint32_t row_thread;  /* who makes joins in a row (fast_path.h), */
    uint64_t row_enabled; /* and the threads that could move at each of them, by bit */
    struct hd_path_more row_more; /* those from 64 on */
    uint32_t
        fatal_at; /* the step before this depth killed a worker: it is not run again, `fatal` is
                          how it ended; 0: none */
    struct hd_finding fatal;
    uint32_t bound;            /* current preemption bound (iterative bounding) */
    uint64_t executions_begun; /* of any outcome; findings are numbered by it */
    uint32_t settled;          /* enum hd_settled */
    bool foreign;              /* the path is from bytes (jobs/unit.h), and has not been run */
    struct hd_estimate estimate;
    /* hashes of the distinct observations made so far */
    uint64_t *observed;
    uint64_t observed_size, n_observed;
    /* by a hash of the site: something was opened where a thread had gone on, so those are
     * decided */
    uint8_t *decided;
    char error[400];       /* of a STOP that is an error, "" otherwise */
    uint64_t guard_behind; /* HD_EXPLORER_GUARD too */
};

/* Is the next end of an execution one of those that the estimate is made of? */
static inline bool hd_explorer_estimates(const struct hd_explorer *ex)
{
    return ex->opt->search == HD_SEARCH_DFS && !ex->split && (ex->executions_begun & 7) == 0;
}

/* Lay out an explorer in `memory` (zeroed, `bytes` of it) for shared->options. */
struct hd_explorer *hd_explorer_create(struct hd_worker_memory *shared, void *memory,
                                       uint64_t bytes, const struct hd_world *world);

/* Set the pointers to search and filters.  They point into this program, so a worker that takes
 * over sets them anew. */
void hd_explorer_bind(struct hd_explorer *ex);

/* A new worker takes over the explorer of one that died: the interrupted execution counts as
 * ended by `finding` (recorded here; NULL: it did not happen, start it again).  The world
 * stands at its root. */
void hd_explorer_revive(struct hd_explorer *ex, const struct hd_world *world,
                        const struct hd_finding *finding);

/* A new worker goes on with the explorer of one that was asked to stop (ctl.stop), between two
 * executions.  The world stands at its root. */
void hd_explorer_resume(struct hd_explorer *ex, const struct hd_world *world);

/* Write the rest of the search of an explorer that was asked to stop into `bytes`
 * (jobs/unit.h).  Returns the length, or 0 if there is no room.  The explorer can go on
 * afterwards. */
uint64_t hd_explorer_pack(struct hd_explorer *ex, const struct hd_world *world, void *bytes,
                          uint64_t room);

/* The same as parts for others, which wait in the memory of the workers (split.h); of a
 * search whose parts have no order.  The keys of all observations go to `bytes`.  Returns
 * their length, or UINT64_MAX if there is no room.  The explorer is over. */
uint64_t hd_explorer_scatter(struct hd_explorer *ex, const struct hd_world *world, void *bytes,
                             uint64_t room);

/* Fill a new explorer with such bytes; hd_explorer_resume() follows.  Returns NULL, or what is
 * wrong. */
const char *hd_explorer_unpack(struct hd_explorer *ex, void *bytes, uint64_t n);

/* Make a new explorer one of several that work on one tree (split.h), which lies in `memory`
 * (`bytes` of it, zeroed but for its head).  False when memory is used up. */
bool hd_explorer_join(struct hd_explorer *ex, void *memory, uint64_t bytes, uint32_t worker);

/* For one worker of several, which may not have an explorer yet: wait until the program may be
 * started, or until its unit may be read.  False if everything is over. */
bool hd_explorer_may_start(const struct hd_worker_memory *shared, void *memory, uint32_t worker,
                           bool has_unit);

/* At the root: wait until there is something to explore.  False if everything is over. */
bool hd_explorer_rooted(struct hd_explorer *ex);

/* For one worker of several that may start: for how many threads the first has prepared (0: not
 * known), so that it need not end and begin again. */
uint32_t hd_explorer_n_parked(const struct hd_explorer *ex);

/* The id of thread `parent`'s nth child; HD_MAX_THREADS: there are too many. */
uint32_t hd_explorer_name(struct hd_explorer *ex, uint32_t parent, uint32_t nth);

/* The decision at a scheduling point. */
struct hd_decision hd_explorer_decide(struct hd_explorer *ex);

/* Forget what was known about steps to come.  The world has got an invariant or more than 64
 * threads, or the path has changed. */
static inline void hd_explorer_look_again(struct hd_explorer *ex)
{
    ex->marks.single_until = ex->marks.fast_until = 0;
    ex->marks.clear_from = ~0u;
}

/* The running thread, enabled, has come to its next action: may it run it without a decision?
 * Then that is a step of the path like any other, but the world keeps no way back to the state
 * before it: a rewind to there goes to an earlier state. */
bool hd_explorer_go_on(struct hd_explorer *ex, uint32_t thread);
static inline bool hd_explorer_fast_path(struct hd_explorer *ex, uint32_t thread)
{
    if (ex->path.depth < ex->marks.fast_until)
        return ex->fast->go_on(ex, thread);
    return !ex->decides_each && hd_explorer_go_on(ex, thread);
}

/* The same where the next action is the thread's end, which need not be posted, and there are
 * few threads.  False if that is not known. */
bool hd_explorer_exits_slowly(struct hd_explorer *ex, uint32_t thread);
static inline bool hd_explorer_exits(struct hd_explorer *ex, uint32_t thread)
{
    return ex->path.depth < ex->marks.fast_until ? ex->fast->exits(ex, thread)
                                                 : hd_explorer_exits_slowly(ex, thread);
}

/* The running thread has just joined another.  May it join other ended threads, one after the
 * other, without asking?  Then it notes their ids and sites in the actions of the returned node
 * and those after it, and counts them in shared->steps, shared->depth and cnt->events.  Before
 * it does anything else it calls hd_explorer_row_over(), which makes them nodes of the path.
 * At the end of an execution they may be left out. */
struct hd_node *hd_explorer_row(struct hd_explorer *ex, uint32_t thread);
void hd_explorer_row_over(struct hd_explorer *ex);
static inline bool hd_explorer_needs_row(const struct hd_explorer *ex,
                                         const struct hd_finding *finding)
{
    /* (with --paranoid both ways are taken) */
    bool watched = ex->opt->digest || (ex->opt->paranoid && ex->executions_begun % 2);
    return finding || watched || ex->opt->iterative || hd_explorer_estimates(ex);
}

/* The running thread executes the fence, an action of HD_OP_FENCE. Under sequential consistency
 * a fence changes no value, so it is no scheduling point and no step: its order is noted in the
 * action of the step that runs, for the happens-before of C11 (explore/order/sync_order.h). */
static inline void hd_explorer_fence(struct hd_explorer *ex, const struct hd_action *fence)
{
    if (ex->path.depth == 0)
        return;
    uint8_t *at = &ex->path.nodes[ex->path.depth - 1].action.order;
    uint32_t fences = hd_fences_add(hd_order_fences(*at), fence->order);
    *at = (uint8_t)((*at & HD_ORDER_STRONG) | fences << HD_ORDER_FENCE_SHIFT);
}

/* Is the access an event of the graph, so that all stores that it may read are explored? */
bool hd_explorer_weak_explores(const struct hd_explorer *ex, const struct hd_action *a);

/* With reads-from equivalence: is it known which store was the last of each byte? */
bool hd_explorer_weak_knows_last(const struct hd_explorer *ex, uint64_t at, uint64_t bytes);

/* Is the running step an event of the graph, and the search knows its value? */
bool hd_explorer_weak_gives(const struct hd_explorer *ex);

/* For a weak memory model: the value that the atomic load of the running step returns; the
 * atomic store of the running step.  The store returns whether memory is to hold its value,
 * that is, whether it is the newest of its location.  Searches under sequential consistency
 * never call these. */
unsigned __int128 hd_explorer_weak_load(const struct hd_explorer *ex);
bool hd_explorer_weak_store(struct hd_explorer *ex, unsigned __int128 value);

/* The execution is over: may threads stand before steps that break the program, because nobody
 * could move?  Does the thread?  The step, `newer` of hd_sync_order_ran for it, and the number
 * of steps of the path after which it can be made at the latest (0: not known). */
bool hd_explorer_weak_stands(const struct hd_explorer *ex);
bool hd_explorer_weak_breaks(const struct hd_explorer *ex, uint32_t thread, struct hd_action *a,
                             uint32_t *newer, uint32_t *until);

/* The execution is over: do the clocks of the graph tell what happens before the steps of the
 * path from `from` on?  If they do: what steps with an operation do to memory (ops), if that is
 * known.  The clock of a step, and its place among the events of its thread
 * (explore/order/access_order.h); steps are asked in their order, with the same `at`. */
enum hd_weak_order {
    HD_WEAK_ORDER_NEVER, /* not in this exploration */
    HD_WEAK_ORDER_NOT_NOW,
    HD_WEAK_ORDER_KNOWN,
};
enum hd_weak_steps {
    HD_STEPS_UNKNOWN,
    HD_STEPS_NONE, /* nothing, but for the second object */
    HD_STEPS_ATOMIC,
    HD_STEPS_PLAIN,
    HD_STEPS_END, /* the stack of a thread ends */
};
enum hd_weak_order hd_explorer_weak_order(struct hd_explorer *ex, uint32_t from,
                                          const uint8_t **ops, uint32_t *at);
const uint16_t *hd_explorer_weak_clock(const struct hd_explorer *ex, uint32_t depth, uint32_t *at,
                                       uint32_t *place);

/* The same for loops that wait: the number of events of the thread; whether each of them from
 * `from` on has read the same store as others of its location. */
uint32_t hd_explorer_weak_events(const struct hd_explorer *ex, uint32_t thread);
bool hd_explorer_weak_settled(const struct hd_explorer *ex, uint32_t thread, uint32_t from);

/* For loops that retry: is the search one over execution graphs, which asks for them?  Are all
 * events of the thread from `from` on without an effect on others?  The thread is in a state in
 * which it has been: does it stand still? */
struct hd_recurrence {
    uint32_t from;   /* events of the thread when it was in that state */
    uint32_t depth;  /* steps then */
    uint32_t before; /* the same of another time before that; ~0u: there was none */
};
bool hd_explorer_weak_turns(struct hd_explorer *ex);
/* Does a thread that would only go round stand still, until a load is revisited? */
bool hd_explorer_weak_stands_still(const struct hd_explorer *ex);
bool hd_explorer_weak_idle(const struct hd_explorer *ex, uint32_t thread, uint32_t from);
void hd_explorer_weak_turned(struct hd_explorer *ex, uint32_t thread,
                             const struct hd_recurrence *t);

/* The program ended (exit, return from main) or broke: the execution is over.  `finding` is
 * NULL for a normal end.  Returns REWIND or STOP. */
struct hd_decision hd_explorer_ended(struct hd_explorer *ex, const struct hd_finding *finding);
/* The same, for an execution in which the worker before this one died. */
struct hd_decision hd_explorer_died(struct hd_explorer *ex, const struct hd_finding *finding);

/* Open every alternative of `thread` at node `depth` of the path, after those that are open.
 * Returns whether there was one to open. */
bool hd_explorer_add(struct hd_explorer *ex, uint32_t depth, uint32_t thread);

/* Open that alternative, unless it is open already, after the open ones of its thread. */
void hd_explorer_open(struct hd_explorer *ex, uint32_t depth, uint32_t step);

/* The world stands before step `depth` again. */
void hd_explorer_rewound(struct hd_explorer *ex, uint32_t depth);

/* A filter cannot do its work any more: the exploration ends with `text` as its error. */
void hd_explorer_give_up(struct hd_explorer *ex, const char *text);

/* The next action of an enabled thread with the outcome that it would have now. */
struct hd_action hd_explorer_outcome(const struct hd_explorer *ex, uint32_t thread);

/* The state of the object that the action may block on; for a wait, of its mutex; 0 for other
 * actions. */
static inline uint64_t hd_explorer_sync_state(const struct hd_explorer *ex,
                                              const struct hd_action *action)
{
    if (hd_op_table[action->op].space != HD_SPACE_SYNC)
        return 0;
    return ex->world.sync_state(ex->world.self, hd_op_gives_mutex((enum hd_op)action->op)
                                                    ? action->object2
                                                    : action->object);
}

/* The node at which other threads could have run before the step: its own, or the first one of
 * the atomic section that it is part of. */
HD_HOT uint32_t hd_explorer_section_of(const struct hd_explorer *ex, uint32_t last)
{
    uint32_t first = last;
    while (first && ex->path.nodes[first].action.op == HD_OP_CHOOSE_INSIDE)
        first--;
    return ex->path.nodes[first].action.op == HD_OP_ATOMIC ? first : last;
}

/* A hash of the kind and place of a finding; equal findings are reported once. */
uint64_t hd_explorer_fingerprint(const struct hd_finding *finding);

/* How many alternatives there is room for from `at` on. */
uint64_t hd_explorer_alts_left(const struct hd_explorer *ex, uint64_t at);

/* Add an observation to the set.  Returns whether it is new. */
bool hd_explorer_known_observation(struct hd_explorer *ex, uint64_t key);

/* The program has called heddle_observe with a value of this hash. */
void hd_explorer_observe(struct hd_explorer *ex, uint64_t hash);

void hd_explorer_check(const struct hd_explorer *ex);

/* A bug in heddle: `what` does not hold. */
_Noreturn void hd_explorer_bug(const struct hd_explorer *ex, const char *what);

#endif
