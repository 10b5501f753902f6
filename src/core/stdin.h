/* Input that is chosen (--input nondet:BYTES): standard input, and every argument "@@", holds
 * any sequence of at most `most` of these bytes.
 *
 * A read takes as much as there is, up to what it asks for, in one step, whose choice says
 * what it gets.  Choices are numbered by length: 0 is nothing, then come the sequences of one
 * byte, then those of two, and so on.  A sequence that is shorter than what was asked for is
 * the end of the input. */
#ifndef HD_CORE_STDIN_H
#define HD_CORE_STDIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_MAX_INPUT_BYTES 32
#define HD_MAX_INPUT_LENGTH 64
#define HD_DEFAULT_INPUT_LENGTH 3
#define HD_INPUT_ARGUMENT "@@" /* an argument of the program that is chosen */

struct hd_stdin {
    uint32_t n_bytes; /* 0: input is not chosen */
    uint32_t most;    /* length of the longest input */
    unsigned char bytes[HD_MAX_INPUT_BYTES];
};

/* "nondet:ab\n"; escapes are \n, \t, \r, \0, \\ and \xHH.  False: not of that form, a byte
 * twice, or too many. */
bool hd_stdin_parse(const char *text, struct hd_stdin *input);
/* The text that hd_stdin_parse() reads; `size` of HD_INPUT_TEXT is enough. */
#define HD_INPUT_TEXT (8 + 4 * HD_MAX_INPUT_BYTES)
void hd_stdin_text(const struct hd_stdin *input, char *text, size_t size);

/* How many choices a read of `asked` bytes has when `left` more may come; 0: more than a step
 * can have. */
uint32_t hd_stdin_ways(const struct hd_stdin *input, uint64_t asked, uint32_t left);
/* The bytes of a choice.  Returns how many there are, at most HD_MAX_INPUT_LENGTH. */
uint32_t hd_stdin_decode(const struct hd_stdin *input, uint32_t choice,
                         char to[HD_MAX_INPUT_LENGTH]);

#endif
