#include "supervise/supervise.h"

#include "supervise/exploration.h"

int hd_supervise_explore(const struct hd_job *job, struct hd_result *result, struct hd_err *err)
{
    struct hd_exploration x;
    int status = hd_exploration_begin(&x, job, result, err);
    if (status == HD_EXIT_OK)
        status = hd_exploration_run(&x, err);
    hd_crew_release(&x.crew);
    if (status == HD_EXIT_OK)
        status = hd_exploration_confirm(&x, err);
    hd_exploration_end(&x);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
