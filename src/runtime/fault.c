/* Calls that fail because heddle chose so.
 *
 * A call that may fail is always a step, even when no failures are left: otherwise a step of
 * another thread that uses up the last failure would not commute with it. */
#include "runtime/fault.h"

/* No call may fail from now on: pending ones have a single outcome left. */
static void withdraw(void)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        if (i == rt->cur || !hd_tset_has(&rt->config.live, i) ||
            !hd_op_is_fault((enum hd_op)a->op))
            continue;
        hd_log_range(a, sizeof *a);
        a->choices = 1;
    }
}

uint32_t hd_fault_ways(enum hd_fault_kind kind, uint32_t ways, uint32_t site)
{
    if (!hd_fault_wanted(kind) || rt->in_invariant || !rt->engine_top)
        return 0;
    if (hd_thread_now()->atomic_depth) {
        rt->shared->cnt.faults_skipped = 1;
        return 0;
    }
    uint32_t most = rt->shared->options.faults.most;
    hd_engine_root();
    hd_act_full(hd_fault_op(kind), NULL, NULL, 0, site, model->n_faults < most ? ways + 1 : 1);
    uint32_t way = rt->choice;
    hd_update_solo();
    if (model->n_faults >= most)
        rt->shared->cnt.faults_reached = 1;
    if (way == 0)
        return 0;
    HD_SET(model->n_faults, model->n_faults + 1);
    if (model->n_faults == most)
        withdraw();
    return way;
}
