/* The search over execution graphs: every consistent graph once, and nothing is remembered of
 * graphs that are done (docs/design/019-graph.md).
 *
 * A frame is an event that the search has added, with the alternatives that are left of it:
 * which store a load reads, where in mo a store stands, which earlier loads read a store
 * instead of what they read (a revisit).  Frames are a stack. */
#ifndef HD_EXPLORE_GRAPH_SEARCH_H
#define HD_EXPLORE_GRAPH_SEARCH_H

#include "base/rng.h"
#include "core/site.h"
#include "explore/graph/graph.h"

enum hd_frame_kind {
    HD_FRAME_ONCE, /* a fence, the start or end of a thread: no alternatives */
    HD_FRAME_CHOICE,
    HD_FRAME_LOAD,
    HD_FRAME_STORE,
    HD_FRAME_PLAIN, /* a plain store: no alternatives */
    HD_FRAME_RMW,
    HD_FRAME_PART, /* the store part of a read-modify-write whose load part is there */
};

/* Which alternative of a frame: of the stores that a read-modify-write may read the
 * `source`-th that it has read, of that the choice `way`, of that the `tried`-th graph.  Other
 * frames only count `tried`.  What is left of one store and choice is not looked for after a
 * step that breaks the program, so a plain count would depend on what has been executed. */
struct hd_alternative {
    uint32_t source, way, tried;
};

static inline bool hd_alternative_is_before(const struct hd_alternative *a,
                                            const struct hd_alternative *b)
{
    if (a->source != b->source)
        return a->source < b->source;
    return a->way != b->way ? a->way < b->way : a->tried < b->tried;
}

struct hd_graph_frame {
    uint32_t kind;
    uint32_t event;  /* load, store, … */
    uint32_t part;   /* its store part */
    uint32_t at;     /* the store that is read, or after which the store stands; 0: none yet */
    uint32_t oldest; /* the last of those to be tried */
    uint32_t pool;   /* events of the pool before it */
    uint32_t stamp, pos;
    bool stuck;        /* RMW: it cannot run now, and nobody can */
    bool entered;      /* RMW: the load part is in the graph */
    bool passed;       /* a look for signals: that it takes none has been tried */
    bool forward;      /* the store is in the graph, nothing is revisited */
    bool revisits;     /* what follows are revisits */
    bool revisiting;   /* one of them is on */
    bool deleted;      /* the events of a revisit are out of the graph */
    uint32_t scan;     /* events of `order` from here on have been looked at */
    uint32_t until;    /* loads are revisited that have been added before this stamp */
    uint32_t least;    /* the stamp of the last one to be revisited; UINT32_MAX: none is left */
    uint32_t target;   /* the load that is revisited */
    uint32_t place_at; /* in a revisit: after which the store stands; 0: none yet */
    uint32_t place_oldest;
    uint32_t saved, n_saved; /* in the stack of deleted events */
    uint32_t was;            /* a copy of the load as it was, in the pool */
    uint32_t granted;        /* the lock that waited for the store and reads it; 0: none */
    bool grants;             /* that is so now */
    uint32_t choices;
    struct hd_alternative now; /* the one that is applied */
    bool broke;                /* the step of its event has broken the program */
    bool closed;               /* the others are not ours: another worker explores them */
};

#define HD_GRAPH_FRAMES HD_GRAPH_EVENTS /* one for each event at most */
#define HD_GRAPH_SAVED (1u << 20)

struct hd_graph_search {
    struct hd_graph g;
    struct hd_graph_frame *frames;
    uint32_t n_frames;
    uint32_t *saved;
    uint32_t n_saved;
    /* the list of executed events, in the order in which they ran, and the depth of the path
     * before each */
    struct hd_run {
        uint32_t event, depth, era;
        uint32_t choice; /* of its step */
    } *run;
    uint32_t n_run;
    uint32_t dirty; /* entries of `run` from here on are not what the graph wants */
    uint32_t *want; /* events to be executed again */
    uint32_t n_want, wanted;
    uint32_t mixed; /* entries of `run` before it may be in another order than that of `pos` */
    uint32_t now;   /* the event whose step runs; 0: none */
    /* Mostly none of these is so, which is asked in one go (`odd`). */
    union {
        struct {
            bool missing; /* events of the graph have not been executed again */
            /* There may be an operation in the graph without its store part, or without the
             * events of its second object (hd_search_half_done, hd_search_first_half). */
            bool halves;
            bool finished; /* the execution has come to its end, or nobody can move */
            bool broke;    /* it has ended early, in the step that was made last */
            bool misfit;   /* the work unit does not fit the program */
            bool endless;  /* the last execution was too large, in a loop */
            /* Nobody can move but threads that go round: each of them goes round once more. */
            bool closing;
        };
        uint64_t odd;
    };
    const struct hd_site_wakers *facts; /* by site, of n_facts sites */
    uint32_t n_facts;
    bool grants;         /* of the unlock that is added next: hd_event.grants */
    bool ends_are_steps; /* nobody asks whether a thread has ended, but joins */
    /* by enum hd_op: a step of it is an access of memory that is not atomic, or may be one */
    bool plain_op[256];
    /* by enum hd_op: enum hd_weak_steps, if the graph knows what it does to happens-before
     * (searches/graph_order.c) */
    uint8_t ordered_op[256];
    /* The clocks HD_CLOCK_HB may not be those of sync_order.h: a plain store has made a new
     * synchronisation object, or the last thread to end has learned what others did. */
    bool other_order;
    bool joins_wait; /* joins of a thread that is alone may become events later */
    /* Steps of the path from joining - 1 on are joins of a thread that is alone, and not yet
     * events (searches/graph_row.c); 0: none is. */
    uint32_t joining;
    /* From depth known_from - 1 of the path on the thread has stood at the first of known_joins
     * joins that end the execution, and would end it again (searches/graph_row.c); 0: that is
     * not known. */
    uint32_t known_from, known_joins, known_thread;
    /* want[0] alone is to be executed, and the world stands before it at depth at_once - 1; 0:
     * that is not known. */
    uint32_t at_once;
    /* The newest frame has added the load that its thread is about to make, and the world
     * stands before it at depth prepared - 1; 0: that is not so. */
    uint32_t prepared;
    bool usual;   /* events may be added by searches/graph_usual.c; no read-modify-write yet */
    bool has_rmw; /* there has been a read-modify-write or an operation on an object */
    /* A work unit that is being followed (script.c). */
    struct hd_script_entry {
        struct hd_alternative alternative;
        bool closed, broke; /* as in hd_graph_frame */
    } *script;
    uint32_t n_script, scripted;    /* its entries; frames that have been made by it */
    bool script_may_end;            /* its last alternative, the next one, or none is there */
    uint32_t breaks_follow;         /* so many steps after it break the program, as is known */
    bool has_broken;                /* a step has broken the program, at any time */
    struct hd_graph_sample *sample; /* of random walks (searches/graph_sample.c); NULL: all */
    struct hd_rng *rng; /* alternatives are drawn: of these walks, or of a probe; NULL: not */
    struct hd_probes *probes; /* searches/graph_probe.c; NULL: nothing is estimated */
    uint64_t look_at;         /* executions begun when that is asked next */
    uint32_t probed;          /* a probe leaves the script at this frame, */
    double weight; /* and this is the product of the numbers of alternatives from there on */
    /* If `closing`: events that are newer. */
    uint32_t closing_stamp, closing_depth;
    struct hd_like_threads *like; /* --symmetric (searches/graph_alike.c); NULL: not asked */
    uint32_t giving;              /* the frame that is being given away, + 1; 0: none */
};

/* The event changes, or leaves the graph: what has run since must run again. */
static inline void hd_search_touch(struct hd_graph_search *s, const struct hd_event *e)
{
    if (e->run < s->dirty && !e->attached)
        s->dirty = e->run;
}

struct hd_graph_search *hd_graph_search_create(struct hd_arena *arena, enum hd_memory model);

/* A frame for the thread's next action, with its first alternative applied.  False: it has
 * none, or there is no room (g.full). */
bool hd_search_load(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                    uint32_t place, uint32_t order);
bool hd_search_store(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                     uint32_t place, uint32_t order);
/* A plain store into a location that is also used atomically: if there is no race, it is the
 * newest store there: every load that read another store happens before it.  `attached`: it is
 * part of the step of the event before it. */
bool hd_search_plain(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                     uint32_t place, bool attached);
bool hd_search_rmw(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                   uint32_t place, uint32_t order, const uint64_t expected[2], bool stuck);
/* The thread's operation has run, and has left its second object, a synchronisation object, in
 * that state: the events of that object. */
bool hd_search_second(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                      uint32_t place, uint64_t state);
bool hd_search_once(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a,
                    uint32_t order, uint32_t after);
bool hd_search_choice(struct hd_graph_search *s, uint32_t thread, const struct hd_action *a);

/* The operation was revisited, and the store that it reads has been executed: now it is known
 * how it turns out.  A frame for its store part, if it has one.  False: the graph is not
 * consistent. */
bool hd_search_resolve(struct hd_graph_search *s, uint32_t load);

/* A read-modify-write whose store part a revisit has taken out, or 0; the store part again. */
uint32_t hd_search_half_done(const struct hd_graph *g);
bool hd_search_part(struct hd_graph_search *s, uint32_t load);

/* An operation whose second object's events are not in the graph (hd_search_second), or 0. */
uint32_t hd_search_first_half(const struct hd_graph *g);

/* The next graph: apply the next alternative of the newest frame that has one.  False: there
 * is none, all graphs have been visited. */
bool hd_search_next(struct hd_graph_search *s);

/* What the load part of an operation makes of what it reads: part, blocked. */
void hd_search_turns_out(struct hd_graph_search *s, uint32_t load, uint32_t store);

/* broken.c: the last step, of the thread, has broken the program: it stands still before that
 * step from now on.  `steps`: those of its steps since its newest event that broke nothing.
 * False: the step broke nothing when the graph was made, so a data race has changed it. */
bool hd_search_broke(struct hd_graph_search *s, uint32_t thread, uint32_t steps);

/* The store part of the newest frame's operation leaves the graph, with what it revisits. */
void hd_search_drop_part(struct hd_graph_search *s, struct hd_graph_frame *f);

/* The newest frame goes on to another alternative: threads that have broken the program since
 * it took this one are not known to do so any more.  How many are they? */
void hd_search_forget_breaks(struct hd_graph_search *s);
uint32_t hd_search_count_breaks(const struct hd_graph_search *s);

/* Does it stand still before such a step? */
static inline bool hd_event_is_broken(const struct hd_event *e) { return e->breaks || e->ends; }

/* The event makes another choice: what it led to is not known any more. */
static inline void hd_search_mend(struct hd_event *e)
{
    if (e->breaks)
        e->breaks = e->blocked = false;
    e->ends = e->returns = 0;
}

/* The event is the newest of its thread: does the thread stand still because it would only go
 * round? */
static inline bool hd_search_returns(const struct hd_graph_search *s, const struct hd_event *e)
{
    return e->returns && !(s->closing && e->stamp <= s->closing_stamp);
}

/* Undo what the frame has done to the graph; it is the newest. */
void hd_search_unwind(struct hd_graph_search *s, struct hd_graph_frame *f);

/* The frame's next alternative; false: there is none, and it has left the graph. */
bool hd_search_advance(struct hd_graph_search *s, struct hd_graph_frame *f);

/* forward.c: the same of a load, and of a store.  The next store that the load of the frame
 * may read; if the path is to end with a cycle, that is the newest one. */
bool hd_search_next_load(struct hd_graph_search *s, struct hd_graph_frame *f);
bool hd_search_next_store(struct hd_graph_search *s, struct hd_graph_frame *f);
uint32_t hd_search_next_source(const struct hd_graph_search *s, struct hd_graph_frame *f);

/* script.c: a new frame has its first alternative.  If a work unit is being followed, or the
 * search samples, apply the one that is to be taken.  False: there is none. */
bool hd_search_chosen(struct hd_graph_search *s, struct hd_graph_frame *f);

/* draw.c: the same of a search that samples: apply a random one of the alternatives after that
 * one; all zeros: of all. */
bool hd_search_draw(struct hd_graph_search *s, struct hd_graph_frame *f,
                    const struct hd_alternative *after);

/* The search is interrupted for probes: what is left of it becomes the work unit that is
 * followed when they have been made.  Take all events out of the graph. */
void hd_search_suspend(struct hd_graph_search *s);
void hd_search_clear(struct hd_graph_search *s);

/* May the frame have alternatives that are left, as far as the graph shows it now? */
bool hd_search_may_have_more(const struct hd_graph_search *s, const struct hd_graph_frame *f);

/* Is a probe on its way? */
static inline bool hd_search_probes(const struct hd_graph_search *s)
{
    return s->rng && !s->sample;
}

/* Is a work unit being followed, so that all that happens is known? */
static inline bool hd_search_follows_script(const struct hd_graph_search *s)
{
    return s->scripted < s->n_script;
}

static inline bool hd_search_by_script(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    return __builtin_expect(!s->rng && !hd_search_follows_script(s), 1) || hd_search_chosen(s, f);
}

/* The frame nearest to the root that seems to have alternatives left for another worker; ~0u:
 * there is none. */
uint32_t hd_search_to_give(const struct hd_graph_search *s);

/* What is left of the search, or of the frame that is being given away, as bytes. */
struct hd_pack;
void hd_search_pack(struct hd_graph_search *s, struct hd_pack *p);

/* looks.c: the next store that the look for signals of the frame reads; it is not in the graph.
 * False: there is none. */
bool hd_look_enter(struct hd_graph_search *s, struct hd_graph_frame *f);

/* revisit.c: a copy of the event with its clocks. */
void hd_event_copy(struct hd_graph *g, uint32_t to, uint32_t from);

/* Undo the revisit of the frame, if there is one. */
void hd_revisit_undo(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a);

/* grant.c: the store of the frame is new: give it to the lock that waits for it, if there is
 * one; take it away again. */
void hd_grant(struct hd_graph_search *s, struct hd_graph_frame *f);
void hd_grant_undo(struct hd_graph_search *s, struct hd_graph_frame *f);

/* A revisit takes the store out: locks that stay wait again.  The store is back. */
void hd_grant_suspend(struct hd_graph_search *s, uint32_t store, uint32_t stamp);
void hd_grant_restore(struct hd_graph_search *s, uint32_t from);

/* accesses.c: is the access of more than 16 bytes, or is its memory also used as another
 * location that overlaps it?  That location; 0: none. */
bool hd_access_is_mixed(const struct hd_graph *g, const struct hd_action *a);
uint32_t hd_access_overlaps(const struct hd_graph *g, const struct hd_action *a);

/* Is it a plain access that reads and writes memory, and no event? */
bool hd_access_is_plain(const struct hd_graph *g, const struct hd_action *a);

/* A location with events that shares a byte with the access; they are searched from `from` on.
 * 0: none. */
uint32_t hd_access_meets(const struct hd_graph *g, const struct hd_action *a, uint32_t from);

/* A location with events that the plain store writes; they are searched from `from` on.  0:
 * none. */
uint32_t hd_access_written(const struct hd_graph *g, const struct hd_action *a, uint32_t from);

/* revisit.c: the store `a` of the frame is not in the graph, and its clocks are right: what it
 * revisits comes next.  The next revisit, or the first. */
void hd_revisit_begin(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a);
bool hd_revisit_next(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a);

/* The load part, which is not in the graph, would read the store.  Is there a store part after
 * that one already, and no revisit that takes it out? */
bool hd_revisit_is_hopeless(struct hd_graph_search *s, uint32_t load, uint32_t store);

#endif
