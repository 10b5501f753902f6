/* Atomic sections: heddle_atomic_begin() to heddle_atomic_end().
 *
 * A section is one step, ATOMIC, which conflicts with everything: inside it nothing is a
 * scheduling point.  Three things can happen inside that are not part of one step:
 *
 *  - A choice has several outcomes.  It is a step of its own, CHOOSE_INSIDE, at which no other
 *    thread is enabled: the section goes on at once.
 *  - An assumption fails (docs/design/017-assumptions.md).  No thread may see what the section
 *    did, so it is undone and the thread is stopped as if it stood before the section.
 *  - The process ends, or a step breaks the program.  What others would have done next could
 *    have come before the section (hd_explorer_section_of).
 *
 * A replay keeps an undo log for sections only, which may have to be undone.
 *
 * Under a search over execution graphs a section is a critical section of one lock, and its
 * accesses are steps.  Accesses outside that nothing orders with it are refused
 * (searches/graph_sections.c): then nobody can tell that the section is not one step. */
#include "runtime/rt.h"
#include "runtime/undo.h"

#include <pthread.h>

#define __HEDDLE__ 1
#include "heddle.h"

static pthread_mutex_t section_lock = PTHREAD_MUTEX_INITIALIZER;

static void lock_section(struct hd_thread *t)
{
    rt->config.section = (uint64_t)(uintptr_t)&section_lock;
    if (t->locked_sections == 0)
        pthread_mutex_lock(&section_lock);
    HD_SET(t->locked_sections, t->locked_sections + 1);
}

static void unlock_section(struct hd_thread *t)
{
    HD_SET(t->locked_sections, t->locked_sections - 1);
    if (t->locked_sections == 0)
        pthread_mutex_unlock(&section_lock);
}

void heddle_atomic_begin(void)
{
    struct hd_thread *t = hd_thread_now();
    if (rt->weak) {
        lock_section(t);
        return;
    }
    uint32_t site = hd_take_site();
    if (t->atomic_depth == 0) {
        if (!rt->solo_fast)
            hd_act(HD_OP_ATOMIC, NULL, NULL, 0, site);
        bool logs = rt->mode == HD_REPLAYING && !rt->rooted;
        rt->rooted |= logs;
        struct hd_undo *log = rt->log_top;
        hd_log_range(&t->section, sizeof t->section);
        t->section.log = log;
        t->section.logs = logs;
        t->section.n_threads = rt->config.n_threads;
        t->section.n_created = t->n_children;
        t->section.depth = rt->depth;
        hd_copy_threads(&t->section.enabled, &rt->config.enabled, rt->config.n_threads);
    }
    HD_SET(t->atomic_depth, t->atomic_depth + 1);
    hd_update_solo();
}

static void log_no_more(struct hd_thread *t)
{
    if (!t->section.logs)
        return;
    rt->rooted = 0;
    rt->log_top = t->section.log;
}

void heddle_atomic_end(void)
{
    struct hd_thread *t = hd_thread_now();
    if (t->locked_sections) {
        unlock_section(t);
        return;
    }
    uint32_t site = hd_take_site();
    if (t->atomic_depth == 0)
        hd_violation(HD_KIND_MISUSE, site, "heddle_atomic_end without heddle_atomic_begin");
    HD_SET(t->atomic_depth, t->atomic_depth - 1);
    if (t->atomic_depth == 0) {
        log_no_more(t);
        hd_log_range(&t->section, sizeof t->section);
        t->section = (struct hd_section){ .log = NULL };
    }
    hd_update_solo();
}

void hd_section_choose(uint32_t n, uint32_t site)
{
    struct hd_tset enabled = rt->config.enabled;
    rt->choice = 0;
    if (n < 2)
        return;
    hd_tset_clear(&rt->config.enabled);
    hd_tset_add(&rt->config.enabled, rt->cur);
    hd_act_full(HD_OP_CHOOSE_INSIDE, NULL, NULL, 0, site, n);
    rt->config.enabled = enabled;
    uint32_t chosen = rt->choice;
    hd_update_solo();
    rt->choice = chosen; /* for the caller, who calls hd_update_solo() when it has it */
}

/* Frames of the running thread that are over, and those that it is in now. */
static bool is_dead(const void *at, const void *frame)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    uint64_t addr = (uint64_t)(uintptr_t)at;
    return addr < (uint64_t)(uintptr_t)frame && addr >= f->top - f->bytes;
}

static bool can_be_taken_back(const struct hd_thread *t)
{
    if (!rt->rooted || !t->section.log || t->section.n_threads != rt->config.n_threads ||
        t->section.n_created != t->n_children || hd_undo_has_range(t->section.log))
        return false;
    for (uint32_t i = t->section.depth ? t->section.depth - 1 : 0; i < rt->depth; i++)
        if (rt->mode == HD_EXPLORING && rt->marks[i].opaque)
            return false;
    return true;
}

/* The undoing is logged, because the search may go back into the section. */
bool hd_section_take_back(void)
{
    struct hd_thread *t = hd_thread_now();
    const void *frame = __builtin_frame_address(0);
    if (!can_be_taken_back(t))
        return false;
    struct hd_undo *begin = t->section.log;
    struct hd_tset enabled = t->section.enabled;
    struct hd_thread kept = *t;
    for (struct hd_undo *e = rt->log_top; e-- > begin;) {
        if (is_dead(e->at, frame))
            continue;
        hd_log_word(e->at);
        *e->at = e->old;
    }
    hd_copy_threads(&rt->config.enabled, &enabled, rt->config.n_threads);
    log_no_more(&kept);
    hd_update_solo();
    return true;
}
