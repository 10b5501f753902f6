/* Data races in groups, because one mistake often shows as many races: those of the same
 * variable or block of memory are in one group, and so are those between the same two
 * functions. */
#ifndef HD_REPORT_RACE_GROUPS_H
#define HD_REPORT_RACE_GROUPS_H

#include "report/terminal.h"
#include "supervise/program.h"
#include "supervise/result.h"

/* The group of each run, from 1, in the order of their first races; 0: it is no data race.
 * `groups` has room for result->n_runs.  Returns the number of groups. */
uint32_t hd_race_groups(const struct hd_result *result, const struct hd_program *program,
                        uint32_t *groups);

/* The races in a line each, by group, with the numbers of their runs; without text->whole a few
 * of each group.  Nothing if there are fewer than two races. */
void hd_race_groups_text(const struct hd_terminal *text, const struct hd_result *result,
                         const struct hd_program *program);

#endif
