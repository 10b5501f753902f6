/* One step, one place, one line of source, as text. */
#ifndef HD_REPORT_STEP_H
#define HD_REPORT_STEP_H

#include "base/str.h"
#include "report/source.h"
#include "report/value.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Appends what the step did: "read counter = 0", "lock m", "create T1". */
void hd_step_what(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                  const struct hd_program *program);

/* Appends how the source calls the step's object (report/object.h). */
void hd_step_about(struct hd_str *out, const struct hd_step *step, const struct hd_run *run,
                   const struct hd_program *program);

/* The same for what a thread stands before. */
void hd_step_stood_at(struct hd_str *out, const struct hd_standing *standing,
                      const struct hd_run *run, const struct hd_program *program);

/* The same for the mutex that a wait releases. */
void hd_step_mutex(struct hd_str *out, const struct hd_step *wait, const struct hd_run *run,
                   const struct hd_program *program);

/* Appends "file:line", nothing when not known. */
void hd_step_where(struct hd_str *out, const struct hd_place *place);

/* Is it the first access of a data race, made before the run ends? */
bool hd_step_is_past(const struct hd_run *run, const struct hd_standing *standing);

/* Completes the message of a run: workers know no names of variables.  Of a data race, what is
 * accessed; of a failed assertion, the values of the locals that it names. */
void hd_step_name_values(struct hd_run *run, const struct hd_program *program);

/* Where the violation of a run is: as the program itself says, at its pc, at its site, or else
 * at the last known site of its thread; a deadlock is where a thread waits, and *thread is that
 * one. */
struct hd_place hd_step_place(const struct hd_run *run, struct hd_program *program,
                              uint32_t *thread);

/* The calls of the thread that hd_step_place() names, around that place. */
uint32_t hd_step_stack(const struct hd_run *run, struct hd_program *program);

/* Is the place in the part of the C++ library that heddle brings along? */
bool hd_step_in_library(const struct hd_place *place);
/* Where a thread stands.  In heddle's part of the C++ library that is where the program calls
 * it; *stack, unless NULL, is what lies around the place. */
struct hd_place hd_step_standing(const struct hd_standing *s, const struct hd_run *run,
                                 const struct hd_program *program, uint32_t *stack);

/* The same for a step of the run; nowhere if the library was not called by the program: at the
 * beginning of a thread. */
struct hd_place hd_step_at(const struct hd_step *s, const struct hd_run *run,
                           const struct hd_program *program, uint32_t *stack);

#endif
