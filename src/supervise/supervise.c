#include "supervise/supervise.h"

#include "supervise/exploration.h"

#include <stddef.h>
#include <string.h>

void hd_job_copy(struct hd_job *to, const struct hd_job *from, const struct hd_options *options)
{
    size_t rest = offsetof(struct hd_job, route);
    memcpy(to, from, offsetof(struct hd_job, options));
    memcpy((char *)to + rest, (const char *)from + rest, sizeof *to - rest);
    hd_options_copy(&to->options, options);
}

int hd_supervise_explore(const struct hd_job *job, struct hd_result *result, struct hd_err *err)
{
    struct hd_exploration x;
    memset(result, 0, sizeof *result); /* large: in place */
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
