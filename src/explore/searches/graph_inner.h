/* What the files of the search over graphs share. */
#ifndef HD_EXPLORE_SEARCHES_GRAPH_INNER_H
#define HD_EXPLORE_SEARCHES_GRAPH_INNER_H

#include "explore/graph/search.h"
#include "explore/loop/search.h"

static inline struct hd_graph_search *mine(const struct hd_explorer *ex)
{
    return ex->search_state;
}

/* Has the event been executed, as far as the world has come? */
static inline bool hd_event_executed(const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    while (e->attached)
        e = hd_event(g, g->by_thread[e->thread].events[e->index - 1]);
    return e->run != ~0u;
}

/* graph_fail.c: the search ends with an error.
 *   broken     an invariant of the graph does not hold
 *   diverged   a thread does not come to the event again, or it turns out otherwise */
struct hd_decision hd_graph_fail(struct hd_explorer *ex, const char *what);
struct hd_decision hd_graph_broken(struct hd_explorer *ex, uint32_t invariant);
struct hd_decision hd_graph_diverged(struct hd_explorer *ex, uint32_t id);

/* The thread does not do what it did when the graph was made.  A plain load that takes part in
 * a data race is no event, and what it reads depends on the order of execution.  Has a race
 * been reported (and --keep-going or --races warn goes on)?  Then the graph is left out: C
 * gives it no meaning.  Otherwise the search ends with an error. */
bool hd_graph_race_decides(struct hd_explorer *ex, uint32_t thread);

/* The event to which the thread is on its way: the next one of it that is wanted, whatever
 * other threads do before.  NULL: there is none. */
const struct hd_event *hd_graph_next_wanted(const struct hd_graph_search *s, uint32_t thread);

#define HD_GRAPH_NO_ROOM                                                                         \
    "an execution is too large for the graph search: at most 65534 events of a thread, 65535 "   \
    "atomic variables and 1048576 events are known"

/* graph.c: execute the event, which is its thread's next action, with that choice. */
struct hd_decision hd_graph_execute(struct hd_explorer *ex, uint32_t id, uint32_t choice);

/* graph_usual.c: add the next event, if that is one that is added often.  The running thread,
 * enabled, is about to load: may it do that without a decision? */
bool hd_graph_adds_usual(struct hd_explorer *ex);
bool hd_graph_reads_on(struct hd_explorer *ex, uint32_t thread);

/* graph_next.c, for hd_search_ops: ended, ends_quietly, resume.  The script leads elsewhere
 * than it did where it was written: the search ends. */
void hd_graph_ended(struct hd_explorer *ex, const struct hd_finding *finding);
bool hd_graph_ends_quietly(struct hd_explorer *ex);
int64_t hd_graph_resume(struct hd_explorer *ex);
void hd_graph_give_up_script(struct hd_explorer *ex);

/* graph_plan.c: list what the graph has and the world has not executed (`want`), in the order
 * of execution.  Returns the depth to go back to. */
uint32_t hd_graph_plan(struct hd_explorer *ex);

/* The witness of reads-from may have changed (graph/reads_from.h): executed events whose steps
 * have another choice now are no longer right. */
void hd_graph_compare_witness(struct hd_graph_search *s);

/* graph_memory.c: the event is about to run again, after `newer` stores that are newer in mo
 * than what it reads or makes.  Take the initial value from memory, if no store of the
 * location has run.  Does a compare-exchange turn out as it did when the event was added? */
bool hd_graph_fits(struct hd_explorer *ex, uint32_t id, uint32_t newer);

/* graph_steps.c: executed stores after the store in mo.  The choice of the event's step: which
 * of the stores that are there a load reads, or where a store stands, counted from the newest.
 * The row of an operation on which other threads decide: how the event (0: none) turned out. */
uint32_t hd_graph_newer(const struct hd_graph *g, uint32_t store);
uint32_t hd_graph_choice(const struct hd_explorer *ex, uint32_t id);
void hd_graph_turn_out(const struct hd_explorer *ex, uint32_t id, struct hd_action *a);

/* The same file: the end of an execution that is longer than --depth; or that is too large: if
 * it is in a loop, the search ends with it, and otherwise with an error. */
struct hd_decision hd_graph_cut(struct hd_explorer *ex);
struct hd_decision hd_graph_too_large(struct hd_explorer *ex, const char *what);

/* graph_ends.c: steps of the thread after its newest event that has run. */
uint32_t hd_graph_steps_since(const struct hd_explorer *ex, uint32_t thread);

/* Nobody can move.  Does a thread wait for something that has happened in the meantime? */
bool hd_graph_is_redundant(struct hd_explorer *ex);

/* Does a thread stand before a step that breaks the program?  That execution has been
 * counted. */
bool hd_graph_has_broken(const struct hd_explorer *ex);

/* graph_turns.c: nobody can move.  Does a thread go round in a loop?  Then it never leaves it.
 * Has each such thread gone round once more, so that the path ends with a cycle?  Then that is
 * the finding.  Otherwise they do it now. */
bool hd_graph_turns(const struct hd_explorer *ex);
bool hd_graph_closes(struct hd_explorer *ex, struct hd_finding *livelock);

/* graph_ends.c: is the step at that depth the execution of an event? */
bool hd_graph_is_event(const struct hd_graph_search *s, uint32_t depth);

/* graph_choose.c: the lowest thread that can move, or a random one.  The same of those that are
 * about to end the process, first those whose exit status is wrong.  A thread whose operation
 * cannot run, and that does not stand still in the graph yet.  ~0u: there is none. */
uint32_t hd_graph_choose(struct hd_explorer *ex);
uint32_t hd_graph_choose_end(struct hd_explorer *ex);
uint32_t hd_graph_choose_stuck(const struct hd_explorer *ex);

/* graph_row.c: the execution has ended quietly: may the next ones end likewise when all others
 * have ended?  Does this one?  The world has been set back to that depth. */
void hd_graph_remember_end(struct hd_explorer *ex);
bool hd_graph_ends_again(struct hd_explorer *ex);
void hd_graph_back(struct hd_explorer *ex, uint32_t depth);

/* Is the thread about to load, and does it only read from there on (analyse/tails.h)?  Nobody
 * reads what it does.  If it comes after all others, its loads have all stores to choose from:
 * they need no revisits, and what is explored last differs in them only. */
static inline bool hd_graph_is_in_tail(const struct hd_graph_search *s, const struct hd_action *a)
{
    return (a->op == HD_OP_ATOMIC_READ || a->op == HD_OP_READ) && a->site < s->n_facts &&
           s->facts[a->site].tail & HD_TAIL_READS;
}

/* graph_values.c: the step of the event has run. */
void hd_graph_settle_now(struct hd_explorer *ex);
static inline __attribute__((always_inline)) void hd_graph_settle(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_event *e = hd_event(&s->g, s->now); /* [0] is all zeros */
    if (__builtin_expect(e->plain || e->part == HD_PART_RMW, 0))
        hd_graph_settle_now(ex);
    s->now = 0;
}

/* The event that created the thread; 0: that was before the root. */
uint32_t hd_graph_creation_of(const struct hd_graph *g, uint32_t thread);

/* graph_alike.c: the thread starts: which thread before it is interchangeable with it?  Is
 * there something that tells such threads apart, or is the next action of the thread one of
 * which nothing is known?  Then the search has given up. */
void hd_graph_begin_alike(struct hd_explorer *ex, uint32_t thread, uint32_t creation);
bool hd_graph_tells_apart(struct hd_explorer *ex, uint32_t thread);

/* graph_row.c: is the thread's next action a step, but no event?  That is a plain access of
 * memory; or its end, if that is not the end of the process. */
bool hd_graph_is_step(const struct hd_explorer *ex, uint32_t thread);

/* Is the thread's next action a join that may become an event later?  The joins that are
 * waiting for that become events. */
bool hd_graph_joins_alone(const struct hd_explorer *ex, uint32_t thread);
void hd_graph_enter_joins(struct hd_explorer *ex);

/* For hd_search_ops (explorer.h). */
bool hd_graph_exits(struct hd_explorer *ex, uint32_t thread);
struct hd_node *hd_graph_row(struct hd_explorer *ex, uint32_t thread);
void hd_graph_row_over(struct hd_explorer *ex);

/* graph_threads.c: the state that the object of the action is in, before the action and
 * after it; the thread's newest event is its end: the last thread ends the process, after all
 * others have ended.  A thread that has ended goes on with the end of the process: what it
 * knows then. */
uint64_t hd_graph_state(const struct hd_explorer *ex, const struct hd_action *a);
uint64_t hd_graph_more_state(const struct hd_explorer *ex, const struct hd_action *a);
uint64_t hd_graph_state_after(const struct hd_explorer *ex, const struct hd_action *a);
void hd_graph_knows_ends(const struct hd_explorer *ex, uint32_t thread);
bool hd_graph_begin_end(struct hd_explorer *ex, uint32_t thread);

/* graph_places.c: the object that the action changes, which is one for all futexes if threads
 * may move between them. */
uint64_t hd_graph_object(const struct hd_explorer *ex, const struct hd_action *a);

/* The location of the action; 0: there is no room.  The same if the action is
 * an access that becomes an event, of a location that has events, and nothing of it is refused;
 * 0: that is not known. */
uint32_t hd_graph_place_of(struct hd_explorer *ex, const struct hd_action *a, uint32_t thread);
uint32_t hd_graph_known_place(struct hd_explorer *ex, const struct hd_action *a);

/* The same file: which operations access memory that is not atomic, or may do that
 * (`plain_op`); the thread makes a step of such an operation, or with a second object. */
void hd_graph_list_plain_ops(struct hd_graph_search *s);
void hd_graph_may_race(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a);

/* graph_order.c: the operations of which the graph's clocks say what happens-before does. */
void hd_graph_list_ordered_ops(struct hd_graph_search *s);

/* graph_refuse.c: gives up, with a message, if the search does not know the operation. */
bool hd_graph_refuses(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a);

/* With reads-from equivalence: is what memory holds the same in all witnesses?  Is the plain
 * access of memory, which is no event, one of a variable of which that is not so? */
bool hd_graph_memory_is_settled(const struct hd_explorer *ex);
bool hd_graph_refuses_plain(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a);

/* graph_sections.c: an event that the thread's next access meets, one of the two in an atomic
 * section; 0: there is none.  Does the operation not belong into the section that the thread is
 * in? */
uint32_t hd_graph_meets_section(const struct hd_explorer *ex, uint32_t thread,
                                const struct hd_action *a);
bool hd_graph_leaves_section(const struct hd_explorer *ex, uint32_t thread,
                             const struct hd_action *a);

/* graph_sample.c, of a search that samples: which of the threads runs; the next execution
 * begins. */
bool hd_graph_sample_create(struct hd_explorer *ex, struct hd_graph_search *s);
uint32_t hd_graph_sample_thread(struct hd_explorer *ex, uint64_t threads);
int64_t hd_graph_sample_again(struct hd_explorer *ex);

/* graph_probe.c: what is kept of probes, or NULL.  The search stands before its next execution:
 * estimate how much is explored; true: probes come first, from the root on.  Is the probe far
 * longer than all executions?  It is over (`broke`: it broke the program): what resume
 * (hd_search_ops) returns. */
struct hd_probes *hd_graph_probes_create(struct hd_explorer *ex);
bool hd_graph_probe(struct hd_explorer *ex);
bool hd_graph_probe_is_long(const struct hd_explorer *ex);
int64_t hd_graph_probed(struct hd_explorer *ex, bool broke);

/* graph_units.c, for hd_search_ops: is the execution a probe, or has the violation been counted
 * and recorded by the one who wrote the work unit that is being followed? */
bool hd_graph_is_known(struct hd_explorer *ex, bool violation);
void hd_graph_pack_part(struct hd_explorer *ex, struct hd_pack *p);
bool hd_graph_give(struct hd_explorer *ex);
void hd_graph_gave(struct hd_explorer *ex, bool taken);

#endif
