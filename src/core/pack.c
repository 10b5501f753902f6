#include "core/pack.h"

#include <string.h>

static void write_long(struct hd_pack *p, uint64_t value)
{
    do {
        if (p->at == p->end) {
            p->bad = true;
            return;
        }
        *p->at++ = (uint8_t)((value & 127) | (value > 127 ? 128 : 0));
        value >>= 7;
    } while (value);
}

/* Most numbers take one byte. */
static inline void write_u64(struct hd_pack *p, uint64_t value)
{
    if (value < 128 && p->at < p->end)
        *p->at++ = (uint8_t)value;
    else
        write_long(p, value);
}

static uint64_t read_long(struct hd_pack *p)
{
    uint64_t value = 0;
    for (uint32_t shift = 0; p->at < p->end; shift += 7) {
        uint8_t byte = *p->at++;
        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 127) << shift;
        if (byte & 128)
            continue;
        if (byte == 0 && shift) /* there is a shorter form */
            break;
        return value;
    }
    hd_pack_refuse(p);
    return 0;
}

static inline uint64_t read_u64(struct hd_pack *p)
{
    return p->at < p->end && *p->at < 128 ? *p->at++ : read_long(p);
}

void hd_pack_u64(struct hd_pack *p, uint64_t *value)
{
    if (p->reading)
        *value = read_u64(p);
    else
        write_u64(p, *value);
}

static inline uint64_t within(struct hd_pack *p, uint64_t most)
{
    uint64_t value = read_u64(p);
    if (value <= most)
        return value;
    hd_pack_refuse(p);
    return 0;
}

void hd_pack_u32(struct hd_pack *p, uint32_t *value, uint32_t most)
{
    if (p->reading)
        *value = (uint32_t)within(p, most);
    else
        write_u64(p, *value);
}

void hd_pack_bool(struct hd_pack *p, bool *value)
{
    if (p->reading)
        *value = within(p, 1) != 0;
    else
        write_u64(p, *value);
}

void hd_pack_bytes(struct hd_pack *p, void *bytes, uint64_t n)
{
    if (n > hd_pack_left(p)) {
        if (p->reading)
            memset(bytes, 0, n);
        hd_pack_refuse(p);
        return;
    }
    if (n && p->reading)
        memcpy(bytes, p->at, n);
    else if (n)
        memcpy(p->at, bytes, n);
    p->at += n;
}

void hd_pack_count64(struct hd_pack *p, uint64_t *n, uint64_t most)
{
    hd_pack_u64(p, n);
    if (p->reading && (*n > most || *n > hd_pack_left(p))) {
        hd_pack_refuse(p);
        *n = 0;
    }
}

void hd_pack_count(struct hd_pack *p, uint32_t *n, uint64_t most)
{
    uint64_t value = *n;
    hd_pack_count64(p, &value, most < UINT32_MAX ? most : UINT32_MAX);
    *n = (uint32_t)value;
}

void hd_pack_part(struct hd_pack *p, uint32_t name)
{
    uint32_t is = name;
    hd_pack_u32(p, &is, UINT32_MAX);
    hd_pack_want(p, is == name);
}

/* The size is a constant for the compiler, which copies the bytes without a call. */
static inline void copy_member(void *to, const void *from, uint32_t size)
{
    switch (size) {
    case 1:
        memcpy(to, from, 1);
        break;
    case 2:
        memcpy(to, from, 2);
        break;
    case 4:
        memcpy(to, from, 4);
        break;
    default:
        memcpy(to, from, 8);
    }
}

static void pack_member(struct hd_pack *p, char *at, uint32_t size, bool flag)
{
    uint64_t value = 0, most = flag ? 1 : size < 8 ? (1ull << 8 * size) - 1 : UINT64_MAX;
    if (p->reading) {
        value = within(p, most);
        copy_member(at, &value, size);
    } else {
        copy_member(&value, at, size);
        write_u64(p, value);
    }
}

void hd_pack_fields(struct hd_pack *p, void *object, const struct hd_field *fields, uint32_t n)
{
    _Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the low bytes come first");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < fields[i].n; k++)
            pack_member(p, (char *)object + fields[i].offset + (size_t)k * fields[i].size,
                        fields[i].size, fields[i].flag);
}
