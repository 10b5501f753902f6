/* Ends of executions that need not be run again.
 *
 * Often a thread waits for all others and then ends the process, and does nothing else that
 * others have a part in (HD_TAIL_JOINS in core/site.h).  What it does follows from its own
 * state, and from what is compared here.  So while it stays at its first join the next
 * executions end like the one before: the search does not run them to their end
 * (explore/searches/graph_row.c). */
#include "runtime/fdstream.h"
#include "runtime/rt.h"

/* Does leaving main run nothing of the program, and look at nothing that others leave? */
static bool leaves_at_once(uint32_t thread)
{
    return !model->threads[thread].n_destructors && !hd_exit_has_handlers() &&
           !hd_exit_may_have_more() && !hd_fdstream_any() && !rt->shared->options.leaks;
}

bool hd_end_remember(void *self, uint32_t thread, uint64_t row)
{
    (void)self;
    rt->known_end.joined = model->joined.w[0] & ~row;
    rt->known_end.n_threads = rt->config.n_threads;
    return leaves_at_once(thread) && !rt->has_detached && !rt->looks && !hd_interrupts() &&
           !hd_cancels();
}

/* What runs at the end is over when that is remembered: destructors of the thread must be
 * looked for before it. */
bool hd_end_is_known(void *self, uint32_t thread)
{
    (void)self;
    return model->joined.w[0] == rt->known_end.joined &&
           rt->config.n_threads == rt->known_end.n_threads && rt->usual &&
           !rt->config.invariants && !rt->has_detached && !hd_exit_has_handlers() &&
           !hd_fdstream_any() && !model->threads[thread].n_destructors;
}
