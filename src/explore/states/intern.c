#include "explore/states/intern.h"

#include "base/hash.h"
#include "core/pack.h"

#include <string.h>

#define CHUNK (1u << 20)
#define PLACE 0xffffffffffull

/* The head of a string, before its bytes. */
struct string {
    uint64_t number, hash, bytes;
};

static struct string *at(const struct hd_intern *in, uint64_t entry)
{
    return (struct string *)(void *)(in->arena->base + ((entry & PLACE) << 3));
}

static bool grow(struct hd_intern *in)
{
    uint64_t size = in->size ? 2 * in->size : 1024, mask = size - 1;
    uint64_t *table = hd_arena_take(in->arena, 8 * size);
    if (!table)
        return false;
    for (uint64_t i = 0; i < in->size; i++) {
        if (!in->table[i])
            continue;
        uint64_t place = at(in, in->table[i])->hash & mask;
        while (table[place])
            place = (place + 1) & mask;
        table[place] = in->table[i];
    }
    if (in->table)
        hd_arena_give_back(in->table, 8 * in->size);
    in->table = table;
    in->size = size;
    return true;
}

bool hd_intern_init(struct hd_intern *in, struct hd_arena *arena)
{
    *in = (struct hd_intern){ .arena = arena };
    return grow(in);
}

static struct string *keep(struct hd_intern *in, const void *bytes, uint64_t n, uint64_t hash)
{
    uint64_t room = (sizeof(struct string) + n + 7) & ~7ull;
    if (room > in->store_left) {
        in->store_left = room > CHUNK ? room : CHUNK;
        in->store = hd_arena_take(in->arena, in->store_left);
        if (!in->store) {
            in->store_left = 0;
            return NULL;
        }
    }
    struct string *s = (struct string *)(void *)in->store;
    in->store += room;
    in->store_left -= room;
    *s = (struct string){ ++in->n, hash, n };
    memcpy(s + 1, bytes, n);
    return s;
}

uint64_t hd_intern_add(struct hd_intern *in, const void *bytes, uint64_t n, bool *fresh)
{
    uint64_t hash = hd_hash_bytes(n, bytes, n), mask = in->size - 1, i = hash & mask;
    *fresh = false;
    for (; in->table[i]; i = (i + 1) & mask) {
        const struct string *s = at(in, in->table[i]);
        if (in->table[i] >> 40 == hash >> 40 && s->bytes == n && memcmp(s + 1, bytes, n) == 0)
            return s->number;
    }
    struct string *s = keep(in, bytes, n, hash);
    if (!s)
        return 0;
    *fresh = true;
    in->table[i] = (hash & ~PLACE) | (uint64_t)((char *)s - in->arena->base) >> 3;
    if (2 * in->n > in->size && !grow(in))
        return 0;
    return s->number;
}

/* Add a string with a given number, which need not be the next one. */
static bool put(struct hd_intern *in, uint64_t number, const void *bytes, uint64_t n)
{
    uint64_t hash = hd_hash_bytes(n, bytes, n), mask = in->size - 1, i = hash & mask;
    struct string *s = keep(in, bytes, n, hash);
    if (!s)
        return false;
    s->number = number;
    while (in->table[i])
        i = (i + 1) & mask;
    in->table[i] = (hash & ~PLACE) | (uint64_t)((char *)s - in->arena->base) >> 3;
    return 2 * in->n <= in->size || grow(in);
}

void hd_intern_pack(struct hd_intern *in, struct hd_pack *p, uint64_t longest)
{
    uint64_t n = in->n, place = 0;
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; i < n && !p->bad; i++) {
        struct string head = { 0 };
        char *bytes = (char *)p->at;
        while (!p->reading && !in->table[place])
            place++;
        if (!p->reading) {
            bytes = (char *)(at(in, in->table[place]) + 1);
            head = *at(in, in->table[place++]);
        }
        hd_pack_u64(p, &head.number);
        hd_pack_u64(p, &head.bytes);
        hd_pack_want(p, head.number && head.number <= n && head.bytes <= longest &&
                            head.bytes <= hd_pack_left(p));
        if (p->bad)
            return;
        if (p->reading) {
            hd_pack_want(p, put(in, head.number, p->at, head.bytes));
            p->at += p->bad ? 0 : head.bytes;
        } else {
            hd_pack_bytes(p, bytes, head.bytes);
        }
    }
}
