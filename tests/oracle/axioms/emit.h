/* The same program in C11 with POSIX threads, for a checker: several in one file, of which main
 * runs the one whose number is its argument.
 *
 * Every statement stands on a line of its own that ends with its number, as a comment: 2:3.
 * Behind the joins main gives the registers and the memory to heddle_observe as 32-bit
 * integers, in the order of ax_final_line.  If the program asks for an outcome, main then
 * asserts that it has not come. Locations with plain accesses are an int, to which atomic
 * accesses go by the compiler's functions; the others are an _Atomic int. */
#ifndef AX_EMIT_H
#define AX_EMIT_H

#include "program.h"

void ax_emit_head(FILE *out);
/* The comment at its head is the title, and the note if it is not NULL. */
void ax_emit_program(FILE *out, const struct ax_program *p, uint32_t number, const char *title,
                     const char *note);
void ax_emit_main(FILE *out, uint32_t programs);

#endif
