/* Ways to read chosen input that are not modelled. */
#ifndef HD_RUNTIME_STDIN_KNOWN_H
#define HD_RUNTIME_STDIN_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/* Is input chosen (core/stdin.h)? */
bool hd_stdin_is_chosen(void);

/* The call named by the site reads the descriptor.  False: that is not chosen input.  It is an
 * error if this way to read is not modelled. */
bool hd_stdin_known(int fd, uint32_t site);

#endif
