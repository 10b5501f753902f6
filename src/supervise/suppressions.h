/* Suppression files: which data races are not reported, and which volatile accesses count as
 * atomic.  One rule on a line, `#` begins a comment:
 *
 *   race:PATTERN                   races with an access in such a file
 *   race:file:PATTERN              the same
 *   race:function:PATTERN          … in such a function
 *   race:variable:PATTERN          … of such a variable
 *   volatile-ok:file:PATTERN       and so on: volatile accesses that count as atomic
 *
 * The file may come from a stranger: every line is either a rule or refused. */
#ifndef HD_SUPERVISE_SUPPRESSIONS_H
#define HD_SUPERVISE_SUPPRESSIONS_H

#include "base/err.h"
#include "base/str.h"
#include "core/suppress.h"
#include "supervise/program.h"

#define HD_MAX_SUPPRESSION_BYTES (1u << 20)

/* Adds the rules of the text, which messages call `name`. */
int hd_suppressions_parse(struct hd_suppressions *s, const char *name, const char *text, size_t n,
                          struct hd_err *err);
int hd_suppressions_read(struct hd_suppressions *s, const char *path, struct hd_err *err);

/* Adds one rule, without comments and blanks around it.  NULL, or what is wrong with it. */
const char *hd_suppressions_add(struct hd_suppressions *s, const char *rule, size_t n,
                                uint32_t line);

/* Looks up the variables that rules name in the program: `data`, `ring.head`, `table[*]`. */
int hd_suppressions_resolve(struct hd_suppressions *s, const struct hd_program *program,
                            struct hd_err *err);

/* Appends the rule as it is written: "race:function:put". */
void hd_suppressions_rule(struct hd_str *out, const struct hd_rule *rule);

#endif
