/* Reports as text for the terminal. */
#ifndef HD_REPORT_TEXT_H
#define HD_REPORT_TEXT_H

#include "base/str.h"
#include "report/terminal.h"
#include "report/verdict.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* A violation: what, where, the interleaving in a column per thread, which threads wait for
 * what. */
void hd_text_violation(const struct hd_terminal *text, const struct hd_run *run,
                       struct hd_program *program);

/* The violation alone, in a line or two. */
void hd_text_headline(const struct hd_terminal *text, const struct hd_run *run,
                      struct hd_program *program);

/* The same, and of threads that wait for ever for what each waits. */
void hd_text_brief(const struct hd_terminal *text, const struct hd_run *run,
                   struct hd_program *program);

/* Every step on a line of its own, the program's output in between. */
void hd_text_steps(const struct hd_terminal *text, const struct hd_run *run,
                   struct hd_program *program);

/* Lock order inversions. */
void hd_text_inversions(const struct hd_terminal *text, const struct hd_result *result,
                        struct hd_program *program);

/* The verdict with its reasons and assumptions. */
void hd_text_verdict(const struct hd_terminal *text, const struct hd_summary *summary,
                     const struct hd_result *result);

/* The kind of a violation (enum hd_kind) in plain words: "an assertion fails". */
const char *hd_kind_words(uint32_t kind);

/* Appends "T1 waits at a.c:9 (worker) to lock m, which T2 holds since a.c:14". */
void hd_text_standing(struct hd_str *line, const struct hd_standing *standing,
                      const struct hd_run *run, struct hd_program *program);
/* Appends the same of every thread of a deadlock or livelock, each on a line of its own that
 * begins with a line end. */
void hd_text_standings(struct hd_str *out, const struct hd_run *run, struct hd_program *program);

/* Appends "freed by T2 at a.c:14 (worker)"; `origin` is of a block. */
void hd_text_origin(struct hd_str *line, const struct hd_origin *origin, const struct hd_run *run,
                    struct hd_program *program);

/* columns.c: the interleaving alone. */
void hd_text_columns(const struct hd_terminal *text, const struct hd_run *run,
                     struct hd_program *program);

#endif
