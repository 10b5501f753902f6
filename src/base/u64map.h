/* A map from 64-bit keys to 32-bit values; no deletion.  The key ~0 can't be used. */
#ifndef HD_BASE_U64MAP_H
#define HD_BASE_U64MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_u64map {
    uint64_t *keys;
    uint32_t *values;
    size_t n, room; /* room is 0 or a power of two */
};

void hd_u64map_init(struct hd_u64map *map);
void hd_u64map_release(struct hd_u64map *map);
uint32_t *hd_u64map_get(const struct hd_u64map *map, uint64_t key); /* NULL: none */
uint32_t *hd_u64map_put(struct hd_u64map *map, uint64_t key, bool *is_new);

#endif
