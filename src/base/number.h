/* Numbers in text. */
#ifndef HD_BASE_NUMBER_H
#define HD_BASE_NUMBER_H

#include "base/err.h"

#include <stdint.h>

/* A decimal number within the limits.  `option` is named in the error. */
int hd_number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number, struct hd_err *err);

#endif
