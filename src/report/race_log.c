#include "report/race_log.h"

#include "base/str.h"

#include <string.h>

struct hd_run hd_race_log(const struct hd_run *run, uint32_t at[2])
{
    struct hd_run longer = *run;
    longer.log = hd_alloc((run->n_log + 2) * sizeof *longer.log);
    memcpy(longer.log, run->log, run->n_log * sizeof *longer.log);
    at[0] = run->finding.race_step ? run->finding.race_step - 1 : run->n_log;
    for (int i = run->finding.race_step ? 1 : 0; i < 2; i++) {
        const struct hd_standing *s = &run->finding.standings[i];
        at[1] = longer.n_log;
        longer.log[longer.n_log++] = (struct hd_step){ .thread = s->thread,
                                                       .op = s->op,
                                                       .site = s->site,
                                                       .object = s->object,
                                                       .output_end = run->output_bytes };
    }
    return longer;
}
