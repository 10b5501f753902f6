#include "base/strmap.h"

#include "base/err.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

void hd_strmap_init(struct hd_strmap *map) { *map = (struct hd_strmap){ 0 }; }

void hd_strmap_release(struct hd_strmap *map)
{
    for (size_t i = 0; i < map->room; i++)
        free(map->slots[i].key);
    free(map->slots);
    hd_strmap_init(map);
}

static struct hd_strmap_slot *find(const struct hd_strmap *map, const char *key)
{
    size_t mask = map->room - 1;
    size_t i = (size_t)hd_hash_bytes(0, key, strlen(key)) & mask;
    while (map->slots[i].key && strcmp(map->slots[i].key, key) != 0)
        i = (i + 1) & mask;
    return &map->slots[i];
}

static void grow(struct hd_strmap *map)
{
    struct hd_strmap old = *map;
    map->room = old.room ? old.room * 2 : 64;
    map->slots = hd_alloc(map->room * sizeof *map->slots);
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].key)
            *find(map, old.slots[i].key) = old.slots[i];
    free(old.slots);
}

uint64_t *hd_strmap_get(const struct hd_strmap *map, const char *key)
{
    if (map->room == 0)
        return NULL;
    struct hd_strmap_slot *slot = find(map, key);
    return slot->key ? &slot->value : NULL;
}

uint64_t *hd_strmap_put(struct hd_strmap *map, const char *key)
{
    if (map->n * 4 >= map->room * 3)
        grow(map);
    struct hd_strmap_slot *slot = find(map, key);
    if (slot->key == NULL) {
        slot->key = hd_strdup(key);
        map->n++;
    }
    return &slot->value;
}
