/* Makes a test's own executable look like one that heddle built: linked in, it brings the tables
 * that the instrumenter would have written.  Opened as /proc/self/exe. */
#ifndef HD_FAKE_PROGRAM_H
#define HD_FAKE_PROGRAM_H

#include "supervise/program.h"

#define FAKE_BUILD "ab010000000000000000000000000000"

/* Site 1 is a.c:12:3 in f, of the variable x; there is no other. */
extern const struct hd_program_info fake_program_info;

extern int fake_counter;
extern int fake_table[4];

#endif
