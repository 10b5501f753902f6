/* Programs as C text: many in one file, so that compiling does not limit how much is tested. */
#ifndef ORC_RENDER_H
#define ORC_RENDER_H

#include "program.h"

#include <stdio.h>

/* Writes a C file whose main() runs programs[atoi(argv[1])] as thread 0, and sets every
 * statement's line.  False when writing failed. */
bool orc_render(struct orc_program *programs, uint32_t n, FILE *out);

#endif
