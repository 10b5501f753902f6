/* Numbers in text. */
#ifndef HD_BASE_NUMBER_H
#define HD_BASE_NUMBER_H

#include "base/err.h"

#include <stdint.h>

/* A decimal number within the limits.  `option` is named in the error. */
int hd_number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number, struct hd_err *err);

/* The same for bytes: K, M or G may follow the number, for 2^10, 2^20 or 2^30 of them. */
int hd_bytes_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *bytes, struct hd_err *err);

#define HD_NUMBER_TEXT 27 /* room for the longest, with its end */

/* A count for people, in groups of three digits: "9,567"; returns `text`. */
const char *hd_number_grouped(uint64_t number, char text[HD_NUMBER_TEXT]);

#endif
