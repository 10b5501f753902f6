#include "set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct orc_entry *slots_new(uint64_t size)
{
    struct orc_entry *slots = calloc(size, sizeof *slots);
    if (!slots) {
        fputs("oracle: out of memory\n", stderr);
        exit(2);
    }
    return slots;
}

void orc_set_init(struct orc_set *s)
{
    s->n = 0;
    s->size = 256;
    s->slots = slots_new(s->size);
}

void orc_set_release(struct orc_set *s)
{
    free(s->slots);
    memset(s, 0, sizeof *s);
}

static struct orc_entry *find(struct orc_entry *slots, uint64_t size, struct orc_key key)
{
    uint64_t i = key.a & (size - 1);
    while (slots[i].used && (slots[i].key.a != key.a || slots[i].key.b != key.b))
        i = (i + 1) & (size - 1);
    return &slots[i];
}

static void grow(struct orc_set *s)
{
    struct orc_entry *slots = slots_new(s->size * 2);
    for (uint64_t i = 0; i < s->size; i++)
        if (s->slots[i].used)
            *find(slots, s->size * 2, s->slots[i].key) = s->slots[i];
    free(s->slots);
    s->slots = slots;
    s->size *= 2;
}

struct orc_entry *orc_set_get(struct orc_set *s, struct orc_key key, bool *fresh)
{
    if (s->n * 2 >= s->size)
        grow(s);
    struct orc_entry *e = find(s->slots, s->size, key);
    *fresh = !e->used;
    if (*fresh) {
        e->used = true;
        e->key = key;
        s->n++;
    }
    return e;
}

static void mix(struct orc_key *k, uint64_t w)
{
    k->a = (k->a ^ w) * 0x9fb21c651e98df25ull;
    k->a ^= k->a >> 32;
    k->b = (k->b + w) * 0xd6e8feb86659fd93ull;
    k->b ^= k->b >> 29;
}

struct orc_key orc_key_of(const void *bytes, uint64_t n)
{
    const unsigned char *p = bytes;
    struct orc_key k = { 0x243f6a8885a308d3ull ^ n, 0x13198a2e03707344ull + n };
    uint64_t w;
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&w, p, 8);
        mix(&k, w);
    }
    if (n > 0) {
        w = 0;
        memcpy(&w, p, n);
        mix(&k, w);
    }
    mix(&k, 0x082efa98ec4e6c89ull);
    mix(&k, 0x452821e638d01377ull);
    return k;
}
