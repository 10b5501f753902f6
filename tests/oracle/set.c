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

static uint64_t mix_a(uint64_t a, uint64_t w)
{
    a = (a ^ w) * 0x9fb21c651e98df25ull;
    return a ^ a >> 32;
}

static uint64_t mix_b(uint64_t b, uint64_t w)
{
    b = (b + w) * 0xd6e8feb86659fd93ull;
    return b ^ b >> 29;
}

/* The words go into the halves in turn, then the halves into each other. */
struct orc_key orc_key_of(const void *bytes, uint64_t n)
{
    const unsigned char *p = bytes;
    uint64_t a = 0x243f6a8885a308d3ull ^ n, b = 0x13198a2e03707344ull + n, w[2];
    for (; n >= 16; n -= 16, p += 16) {
        memcpy(w, p, 16);
        a = mix_a(a, w[0]);
        b = mix_b(b, w[1]);
    }
    if (n > 0) {
        memset(w, 0, sizeof w);
        memcpy(w, p, n);
        a = mix_a(a, w[0]);
        b = mix_b(b, w[1]);
    }
    for (int round = 0; round < 2; round++) {
        uint64_t was = a;
        a = mix_a(a, b);
        b = mix_b(b, was);
    }
    return (struct orc_key){ a, b };
}
