/* Data as bytes without pointers: one function per structure writes it and reads it back.
 *
 * The same calls in the same order do both, so a format exists once.  Numbers are unsigned and
 * take seven bits per byte, the lowest first; a number has exactly one form.  When reading,
 * every number is compared with its bound before anything is done with it.  The first wrong
 * byte sets `bad`; from then on all reads return 0.  When writing, `bad` means that there is no
 * room. */
#ifndef HD_CORE_PACK_H
#define HD_CORE_PACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_pack {
    uint8_t *at, *end;
    bool reading, bad;
    bool part; /* writing: only what concerns the path is wanted (explore/jobs/unit.h) */
};

static inline struct hd_pack hd_pack_writer(void *bytes, uint64_t room)
{
    return (struct hd_pack){ .at = bytes, .end = (uint8_t *)bytes + room };
}

static inline struct hd_pack hd_pack_reader(void *bytes, uint64_t n)
{
    return (struct hd_pack){ .at = bytes, .end = (uint8_t *)bytes + n, .reading = true };
}

/* Bytes that are left. */
static inline uint64_t hd_pack_left(const struct hd_pack *p)
{
    return (uint64_t)(p->end - p->at);
}

/* When reading: what was read cannot have been written. */
static inline void hd_pack_refuse(struct hd_pack *p)
{
    p->bad = true;
    p->at = p->end;
}
static inline void hd_pack_want(struct hd_pack *p, bool condition)
{
    if (p->reading && !condition)
        hd_pack_refuse(p);
}

void hd_pack_u64(struct hd_pack *p, uint64_t *value);
/* At most `most`. */
void hd_pack_u32(struct hd_pack *p, uint32_t *value, uint32_t most);
void hd_pack_bool(struct hd_pack *p, bool *value);
void hd_pack_bytes(struct hd_pack *p, void *bytes, uint64_t n);

/* The number of items that follow, each of which takes a byte or more: at most `most`, and no
 * more than there are bytes left. */
void hd_pack_count(struct hd_pack *p, uint32_t *n, uint64_t most);
void hd_pack_count64(struct hd_pack *p, uint64_t *n, uint64_t most);

/* A part begins: another one is refused. */
void hd_pack_part(struct hd_pack *p, uint32_t name);

/* A structure of numbers, by a list of its members. */
struct hd_field {
    uint16_t offset, n;
    uint8_t size; /* 1, 2, 4 or 8 bytes each */
    bool flag;    /* 0 or 1 */
};
#define HD_FIELD(type, member) { offsetof(type, member), 1, sizeof(((type *)0)->member), false }
#define HD_FLAG(type, member) { offsetof(type, member), 1, sizeof(((type *)0)->member), true }
#define HD_FIELDS(type, member)                                                                  \
    { offsetof(type, member), sizeof(((type *)0)->member) / sizeof(((type *)0)->member[0]),      \
      sizeof(((type *)0)->member[0]), false }
void hd_pack_fields(struct hd_pack *p, void *object, const struct hd_field *fields, uint32_t n);
#define HD_PACK_FIELDS(p, object, fields)                                                        \
    hd_pack_fields(p, object, fields, sizeof(fields) / sizeof(fields)[0])

#endif
