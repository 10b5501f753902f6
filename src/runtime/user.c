/* heddle.h: the functions that a program calls. */
#include "runtime/view.h"

#include "base/hash.h"

#define __HEDDLE__ 1
#include "heddle.h"

int heddle_choose(int n)
{
    uint32_t site = hd_take_site();
    if (n < 1 || n > HD_MAX_CHOICES)
        hd_violation(HD_KIND_MISUSE, site, "heddle_choose(%d): from 1 to %d alternatives", n,
                     HD_MAX_CHOICES);
    hd_engine_root();
    if (hd_thread_now()->atomic_depth)
        hd_section_choose((uint32_t)n, site);
    else
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, site, (uint32_t)n);
    int value = (int)rt->choice;
    if (rt->mode == HD_REPLAYING)
        hd_replay_values((uint64_t)value, 0, HD_STEP_HAS_READ);
    hd_update_solo();
    return value;
}

/* End the execution inside the step before, with a finding of no kind, which is no
 * violation. */
static _Noreturn void end_here(void)
{
    struct hd_finding none = { .kind = HD_KIND_NONE };
    hd_engine_ended(&none);
}

void hd_stand_still(bool undone, uint32_t site)
{
    hd_set_enabled(rt->cur, false);
    hd_act_full(HD_OP_ASSUME, NULL, NULL, undone, site, 1);
    hd_fatal("internal error: a thread goes on against an assumption");
}

/* The thread is stopped for ever and others go on (docs/design/017-assumptions.md).  If there
 * has been no other thread yet, the execution is over. */
void heddle_assume(int holds)
{
    uint32_t site = hd_take_site();
    if (holds)
        return;
    if (rt->mode == HD_PLAIN)
        hd_exit(0);
    if (rt->in_invariant)
        hd_violation(HD_KIND_MISUSE, site, "an invariant assumes something");
    bool rooted = rt->rooted || rt->mode == HD_REPLAYING;
    bool inside = hd_thread_now()->atomic_depth;
    if (!rooted || (inside && !hd_section_take_back()))
        end_here();
    hd_stand_still(inside, site);
}

/* An execution graph has no states in between: docs/weak-memory.md. */
static void refuse_invariant(uint32_t memory)
{
    bool sc = hd_memory_is_sc(memory), rf = memory == HD_MEMORY_SC_RF;
    hd_fatal("the graph search (%s) knows no states, so it takes no heddle_invariant(): use %s",
             rf                        ? "--strategy rf"
             : sc                      ? "--strategy graph"
             : memory == HD_MEMORY_TSO ? "--memory tso"
                                       : "--memory rc11",
             sc ? "--strategy optimal" : "--memory sc");
}

void heddle_invariant(int (*holds)(void))
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast) /* it must hold from this step on */
        hd_act(HD_OP_ATOMIC, NULL, NULL, 0, site);
    uint64_t n = model->n_registered;
    if (rt->weak)
        refuse_invariant(rt->shared->options.memory);
    if (n == HD_MAX_INVARIANTS)
        hd_fatal("more than %d calls of heddle_invariant()", HD_MAX_INVARIANTS);
    HD_SET(model->registered[n], holds);
    HD_SET(model->n_registered, n + 1);
    hd_engine_root();
    hd_update_solo();
    if (rt->ex)
        hd_explorer_look_again(rt->ex);
}

void heddle_target(void)
{
    uint32_t site = hd_take_site();
    if (rt->mode != HD_PLAIN)
        hd_violation(HD_KIND_TARGET, site, "target reached");
}

void heddle_observe(const void *bytes, unsigned long n)
{
    hd_take_site();
    if (rt->mode != HD_EXPLORING)
        return;
    if (rt->reads_from && !rt->solo_fast &&
        !hd_explorer_weak_knows_last(rt->ex, (uint64_t)(uintptr_t)bytes, n))
        hd_fatal("--strategy rf does not know which store of what heddle_observe() is given was "
                 "the last: use --strategy optimal");
    uint64_t h = 0xcbf29ce484222325ull;
    for (unsigned long i = 0; i < n; i++) {
        unsigned char byte;
        hd_view_load(rt->cur, (const char *)bytes + i, &byte, 1);
        h = (h ^ byte) * 0x100000001b3ull;
    }
    hd_explorer_observe(rt->ex, h);
}
