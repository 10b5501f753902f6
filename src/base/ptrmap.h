/* A map from addresses to small values; no deletion. */
#ifndef HD_BASE_PTRMAP_H
#define HD_BASE_PTRMAP_H

#include <stddef.h>
#include <stdint.h>

struct hd_ptrmap_slot {
    const void *key; /* NULL: free */
    uint64_t value;
};

struct hd_ptrmap {
    struct hd_ptrmap_slot *slots;
    size_t n, room; /* room is 0 or a power of two */
};

void hd_ptrmap_init(struct hd_ptrmap *map);
void hd_ptrmap_release(struct hd_ptrmap *map);
uint64_t *hd_ptrmap_get(const struct hd_ptrmap *map, const void *key); /* NULL: none */
uint64_t *hd_ptrmap_put(struct hd_ptrmap *map, const void *key);       /* 0 when new */

#endif
