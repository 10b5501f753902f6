/* A map from strings to 64-bit values. */
#ifndef HD_BASE_STRMAP_H
#define HD_BASE_STRMAP_H

#include <stddef.h>
#include <stdint.h>

struct hd_strmap_slot {
    char *key; /* NULL: free */
    uint64_t value;
};

struct hd_strmap {
    struct hd_strmap_slot *slots;
    size_t n, room; /* room is 0 or a power of two */
};

void hd_strmap_init(struct hd_strmap *map);
void hd_strmap_release(struct hd_strmap *map);

/* The value of `key`, NULL when there is none.  Valid until the next hd_strmap_put(). */
uint64_t *hd_strmap_get(const struct hd_strmap *map, const char *key);

/* The value of `key`, 0 when it is new.  Copies the key. */
uint64_t *hd_strmap_put(struct hd_strmap *map, const char *key);

#endif
