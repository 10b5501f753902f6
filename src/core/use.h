/* What an undefined value decides, which makes it a violation; for __heddle_undefined. */
#ifndef HD_CORE_USE_H
#define HD_CORE_USE_H

enum hd_use {
    HD_USE_BRANCH,
    HD_USE_ADDRESS,
    HD_USE_ARGUMENT,
    HD_USE_DIVISOR,
    HD_USE_LIBRARY, /* a library function reads it */
    HD_USE_ATOMIC,  /* a read-modify-write or compare-exchange */
};

/* What two ranges are compared as. */
enum hd_comparison { HD_COMPARES_BYTES, HD_COMPARES_STRINGS, HD_COMPARES_FOLDED };

#endif
