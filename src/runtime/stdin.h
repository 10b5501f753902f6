/* Input that is chosen (core/stdin.h): standard input is a file of the model, and the arguments
 * of main() that are "@@" are made before it begins. */
#ifndef HD_RUNTIME_STDIN_H
#define HD_RUNTIME_STDIN_H

#include "core/stdin.h"

#include <sys/types.h>

/* Once, before the program begins; nothing unless input is chosen. */
void hd_stdin_prepare(void);
/* In the main thread, before main(). */
void hd_stdin_arguments(int argc, char **argv);
/* How much room the argument needs. */
size_t hd_stdin_room(const char *argument);

/* read() of standard input; `how` as in fd.h. */
ssize_t hd_stdin_read(void *to, size_t n, uint32_t how, uint32_t site);
/* The choices of pending reads. */
void hd_stdin_recount(void);

#endif
