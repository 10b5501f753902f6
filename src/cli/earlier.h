/* The failing schedules of earlier checks, which are in the trace directory, are tried before
 * the search: a bug that has come back is found in the first execution.
 *
 *  E1  a trace gives a schedule and nothing else: arguments, invariants, options and the
 *      program are those of this check, and a trace that was made with others is skipped
 *  E2  only traces that this user has made are read as schedules
 *  E3  what is found is a violation of the program as it is now: the run is replayed step by
 *      step, also where the trace could be followed only in part (cli/follow.h)
 *  E4  when nothing is found, the search and its counts are those of a check without traces */
#ifndef HD_CLI_EARLIER_H
#define HD_CLI_EARLIER_H

#include "cli/check_request.h"
#include "cli/input.h"
#include "report/earlier.h"
#include "supervise/supervise.h"

void hd_earlier_init(struct hd_earlier *earlier);
void hd_earlier_release(struct hd_earlier *earlier);

/* Can traces of earlier checks answer what this one asks? */
bool hd_earlier_wanted(const struct hd_check *check);

/* Returns true if a trace breaks the program: then *result is that of a search which stopped
 * there. */
bool hd_earlier_try(const struct hd_check *check, const struct hd_input *input,
                    struct hd_earlier *earlier, struct hd_result *result);

#endif
