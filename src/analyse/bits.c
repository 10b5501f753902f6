#include "analyse/bits.h"

#include "base/err.h"

#include <stdlib.h>
#include <string.h>

void hd_bits_release(struct hd_bits *bits)
{
    free(bits->blocks);
    *bits = (struct hd_bits){ 0 };
}

/* The first block from `low` on whose index is not smaller; it is sought in growing steps,
 * because two sets that are walked together are rarely far apart. */
static uint32_t seek(const struct hd_bits *bits, uint32_t low, uint32_t index)
{
    uint32_t step = 1, high = low;
    while (high < bits->n && bits->blocks[high].index < index) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    if (high > bits->n)
        high = bits->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (bits->blocks[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void reserve(struct hd_bits *bits, uint32_t n)
{
    if (n <= bits->room)
        return;
    uint32_t room = bits->room ? bits->room * 2 : 1;
    bits->room = n > room ? n : room;
    bits->blocks = hd_realloc(bits->blocks, bits->room * sizeof *bits->blocks);
}

static void append(struct hd_bits *bits, uint32_t index, uint64_t word)
{
    reserve(bits, bits->n + 1);
    bits->blocks[bits->n++] = (struct hd_bits_block){ word, index };
}

bool hd_bits_has(const struct hd_bits *bits, uint32_t number)
{
    uint32_t i = seek(bits, 0, number / 64);
    return i < bits->n && bits->blocks[i].index == number / 64 &&
           bits->blocks[i].bits >> number % 64 & 1;
}

bool hd_bits_add(struct hd_bits *bits, uint32_t number)
{
    uint64_t bit = 1ull << number % 64;
    uint32_t i = seek(bits, 0, number / 64);
    if (i < bits->n && bits->blocks[i].index == number / 64) {
        bool is_new = (bits->blocks[i].bits & bit) == 0;
        bits->blocks[i].bits |= bit;
        return is_new;
    }
    reserve(bits, bits->n + 1);
    memmove(bits->blocks + i + 1, bits->blocks + i, (bits->n - i) * sizeof *bits->blocks);
    bits->blocks[i] = (struct hd_bits_block){ bit, number / 64 };
    bits->n++;
    return true;
}

uint32_t hd_bits_count(const struct hd_bits *bits)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bits->n; i++)
        n += (uint32_t)__builtin_popcountll(bits->blocks[i].bits);
    return n;
}

static uint64_t word_of(const struct hd_bits_row *row, uint32_t index)
{
    return row && index < row->n ? row->words[index] : 0;
}

void hd_bits_minus(const struct hd_bits *from, const struct hd_bits_row *without,
                   const struct hd_bits *have, struct hd_bits *out)
{
    uint32_t k = 0;
    out->n = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        uint32_t index = from->blocks[i].index;
        uint64_t word = from->blocks[i].bits & ~word_of(without, index);
        k = seek(have, k, index);
        if (k < have->n && have->blocks[k].index == index)
            word &= ~have->blocks[k].bits;
        if (word)
            append(out, index, word);
    }
}

void hd_bits_and(const struct hd_bits *a, const struct hd_bits *b, struct hd_bits *out)
{
    uint32_t k = 0;
    out->n = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        k = seek(b, k, a->blocks[i].index);
        if (k < b->n && b->blocks[k].index == a->blocks[i].index &&
            a->blocks[i].bits & b->blocks[k].bits)
            append(out, a->blocks[i].index, a->blocks[i].bits & b->blocks[k].bits);
    }
}

void hd_bits_or(struct hd_bits *into, const struct hd_bits *from)
{
    uint32_t missing = 0, k = 0;
    for (uint32_t i = 0; i < from->n; i++) {
        k = seek(into, k, from->blocks[i].index);
        if (k < into->n && into->blocks[k].index == from->blocks[i].index)
            into->blocks[k].bits |= from->blocks[i].bits;
        else
            missing++;
    }
    if (missing == 0)
        return;
    /* From the back: every block moves at most once. */
    uint32_t old = into->n, at = into->n + missing, i = from->n;
    reserve(into, at);
    into->n = at;
    while (missing) {
        const struct hd_bits_block *next = &from->blocks[i - 1];
        if (old && into->blocks[old - 1].index >= next->index) {
            if (into->blocks[old - 1].index == next->index)
                i--;
            into->blocks[--at] = into->blocks[--old];
        } else {
            into->blocks[--at] = *next;
            i--;
            missing--;
        }
    }
}

void hd_bits_filter(struct hd_bits *bits, const struct hd_bits_row *without)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < bits->n; i++) {
        struct hd_bits_block block = bits->blocks[i];
        block.bits &= ~word_of(without, block.index);
        if (block.bits)
            bits->blocks[n++] = block;
    }
    bits->n = n;
}

bool hd_bits_equal(const struct hd_bits *a, const struct hd_bits *b)
{
    if (a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->blocks[i].index != b->blocks[i].index || a->blocks[i].bits != b->blocks[i].bits)
            return false;
    return true;
}

void hd_bits_row_add(struct hd_bits_row *row, uint32_t number)
{
    if (number / 64 >= row->n) {
        size_t n = row->n * 2 > number / 64 ? row->n * 2 : number / 64 + 1;
        row->words = hd_realloc(row->words, n * sizeof *row->words);
        memset(row->words + row->n, 0, (n - row->n) * sizeof *row->words);
        row->n = n;
    }
    row->words[number / 64] |= 1ull << number % 64;
}
