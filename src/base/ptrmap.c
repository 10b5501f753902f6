#include "base/ptrmap.h"

#include "base/err.h"
#include "base/hash.h"

#include <stdlib.h>

void hd_ptrmap_init(struct hd_ptrmap *map) { *map = (struct hd_ptrmap){ 0 }; }

void hd_ptrmap_release(struct hd_ptrmap *map)
{
    free(map->slots);
    hd_ptrmap_init(map);
}

static struct hd_ptrmap_slot *find(const struct hd_ptrmap *map, const void *key)
{
    size_t mask = map->room - 1;
    size_t i = (size_t)hd_hash_mix((uint64_t)(uintptr_t)key) & mask;
    while (map->slots[i].key && map->slots[i].key != key)
        i = (i + 1) & mask;
    return &map->slots[i];
}

uint64_t *hd_ptrmap_get(const struct hd_ptrmap *map, const void *key)
{
    if (map->room == 0)
        return NULL;
    struct hd_ptrmap_slot *slot = find(map, key);
    return slot->key ? &slot->value : NULL;
}

uint64_t *hd_ptrmap_put(struct hd_ptrmap *map, const void *key)
{
    if (map->n * 4 >= map->room * 3) {
        struct hd_ptrmap old = *map;
        map->room = old.room ? old.room * 2 : 64;
        map->slots = hd_alloc(map->room * sizeof *map->slots);
        for (size_t i = 0; i < old.room; i++)
            if (old.slots[i].key)
                *find(map, old.slots[i].key) = old.slots[i];
        free(old.slots);
    }
    struct hd_ptrmap_slot *slot = find(map, key);
    if (slot->key == NULL) {
        slot->key = key;
        map->n++;
    }
    return &slot->value;
}
