#include "base/u64map.h"

#include "base/err.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t none = ~0ull;

void hd_u64map_init(struct hd_u64map *map) { *map = (struct hd_u64map){ 0 }; }

void hd_u64map_release(struct hd_u64map *map)
{
    free(map->keys);
    free(map->values);
    hd_u64map_init(map);
}

static size_t place(const struct hd_u64map *map, uint64_t key)
{
    size_t i = hd_hash_mix(key) & (map->room - 1);
    while (map->keys[i] != none && map->keys[i] != key)
        i = (i + 1) & (map->room - 1);
    return i;
}

static void grow(struct hd_u64map *map)
{
    struct hd_u64map old = *map;
    map->room = old.room ? old.room * 2 : 64;
    map->keys = hd_alloc(map->room * sizeof *map->keys);
    map->values = hd_alloc(map->room * sizeof *map->values);
    memset(map->keys, 0xff, map->room * sizeof *map->keys);
    for (size_t i = 0; i < old.room; i++) {
        if (old.keys[i] == none)
            continue;
        size_t at = place(map, old.keys[i]);
        map->keys[at] = old.keys[i];
        map->values[at] = old.values[i];
    }
    free(old.keys);
    free(old.values);
}

uint32_t *hd_u64map_get(const struct hd_u64map *map, uint64_t key)
{
    if (map->room == 0)
        return NULL;
    size_t i = place(map, key);
    return map->keys[i] == key ? &map->values[i] : NULL;
}

uint32_t *hd_u64map_put(struct hd_u64map *map, uint64_t key, bool *is_new)
{
    if (key == none)
        hd_bug("hd_u64map_put: the key is reserved");
    if (map->n * 2 >= map->room)
        grow(map);
    size_t i = place(map, key);
    *is_new = map->keys[i] == none;
    if (*is_new) {
        map->keys[i] = key;
        map->n++;
    }
    return &map->values[i];
}
