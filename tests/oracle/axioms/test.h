/* What the judge's own tests share. */
#ifndef AX_TEST_H
#define AX_TEST_H

#include "verdict.h"

/* Prints `ok NAME`, or `not ok NAME: why`, and counts them. */
__attribute__((format(printf, 3, 4))) void ax_expect(bool good, const char *name, const char *why,
                                                     ...);

/* Says how many there were; the exit status. */
int ax_test_over(void);

/* Parses a text that must be right. */
void ax_must_parse(struct ax_program *p, const char *name, const char *text);

void ax_test_relations(void);
void ax_test_graphs(void);
void ax_test_counts(void);
void ax_test_shapes(void);
void ax_test_classics(void);
void ax_test_objects(void);
/* Random programs: the enumerator against the machines, and against itself without cuts. */
void ax_test_machines(uint64_t programs, uint64_t seed);

#endif
