/* Which known name did the user mean? */
#ifndef HD_BASE_NEAREST_H
#define HD_BASE_NEAREST_H

#include <stddef.h>

/* Keeps the best of the candidates it is shown. */
struct hd_nearest {
    const char *wanted;
    const char *best; /* NULL while none is near enough; a candidate, borrowed */
    size_t distance;
};

void hd_nearest_init(struct hd_nearest *nearest, const char *wanted);
void hd_nearest_try(struct hd_nearest *nearest, const char *candidate);

#endif
