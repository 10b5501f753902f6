/* printf formats: which arguments are strings that the call will read. */
#ifndef HD_ANALYSE_FORMAT_H
#define HD_ANALYSE_FORMAT_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>

struct hd_format_string {
    unsigned arg;  /* which of the arguments after the format, from 0 */
    int limit;     /* constant precision; -1: none */
    int limit_arg; /* the argument that holds the precision; -1: none */
};

/* Fills `strings` (at most `room`).  Returns their number, or -1 when what the call does is not
 * known: %n, wide strings, numbered arguments, too many strings, a malformed format. */
int hd_format_parse(const char *format, struct hd_format_string *strings, size_t room);

/* The characters of a string literal; NULL for anything else. */
const char *hd_format_literal(LLVMValueRef pointer);

/* Is that argument of a call, whose argument `format` is one, printed as a string and nothing
 * else? What is printed as a number or an address may be read back from the text. */
bool hd_format_is_string(LLVMValueRef call, unsigned format, unsigned arg);

#endif
