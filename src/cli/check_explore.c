#include "cli/check_explore.h"

#include "cli/check_settle.h"
#include "strategy/dice.h"
#include "supervise/plan.h"
#include "supervise/portfolio.h"
#include "supervise/suppressions.h"

#include <stdlib.h>

/* Does the search need a place to go to? */
static bool is_guided(const struct hd_check *check)
{
    return hd_search_is_guided(check->options.search) && !check->options.plugin.used &&
           check->via.n == 0 && check->options.heuristic == HD_HEURISTIC_DISTANCE;
}

/* Check that nothing in the program forbids --finer. */
static int finer_possible(const struct hd_check *check, const struct hd_program *program,
                          struct hd_err *err)
{
    if (!check->options.finer)
        return 0;
    if (check->options.n_invariants || check->targets.n)
        return hd_err_set(err, "--finer keeps the states at the ends of executions, not those "
                               "between: leave out --invariant and --target, or --finer");
    if (hd_program_info(program)->awaits && check->options.finer != HD_FINER_LOCKS)
        return hd_err_set(err, "--finer: the program waits in loops for what others write, and "
                               "every set of writes that lets one go on would have to be tried; "
                               "leave out --finer");
    return 0;
}

int hd_check_prepare(struct hd_check *check, struct hd_input *input, struct hd_route **route,
                     const struct hd_foresight **foresight, struct hd_err *err)
{
    bool failed = hd_input_invariants(input, &check->invariants, &check->options, err) != 0 ||
                  finer_possible(check, input->program, err) != 0 ||
                  hd_suppressions_resolve(&check->options.suppressions, input->program, err) !=
                      0 ||
                  hd_targets_route(input->program, &check->targets, &check->via, is_guided(check),
                                   route, err) != 0 ||
                  hd_targets_foresight(&input->foreseen, input->program, &check->options,
                                       foresight, err) != 0;
    return failed ? -1 : 0;
}

int hd_check_search(const struct hd_check *check, struct hd_job *job, struct hd_result *result,
                    struct hd_err *err)
{
    if (check->options.filters & HD_FILTER_DICE)
        return hd_dice_explore(job, &check->targets, result, err);
    if (!check->phases)
        return hd_supervise_explore(job, result, err);
    struct hd_plan *plan = hd_alloc(sizeof *plan);
    hd_check_plan(check, plan);
    int status = hd_portfolio_explore(job, plan, result, err);
    free(plan);
    return status;
}
