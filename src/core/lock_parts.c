#include "core/lock_parts.h"

/* The row of the object, or a free one; there is one, as not all are ever used. */
static uint32_t row_of(const struct hd_lock_parts *parts, uint64_t object)
{
    uint32_t at = (uint32_t)(object * 0x9e3779b97f4a7c15ull >> 52) % HD_LOCK_PARTS;
    for (uint32_t i = 0; i < HD_LOCK_PARTS; i++, at = (at + 1) % HD_LOCK_PARTS)
        if (!parts->rows[at].object || parts->rows[at].object == object)
            break;
    return at;
}

static void add(struct hd_lock_parts *parts, uint64_t object, uint64_t with)
{
    if (parts->n >= HD_LOCK_PARTS / 2) {
        parts->whole = 1;
        return;
    }
    parts->rows[row_of(parts, object)] = (struct hd_lock_part){ object, with };
    parts->n++;
}

uint64_t hd_lock_parts_of(const struct hd_lock_parts *parts, uint64_t mutex, uint32_t number)
{
    uint64_t object = mutex | (uint64_t)number << HD_PART_SHIFT;
    if (parts->whole || parts->rows[row_of(parts, mutex)].object)
        return mutex;
    const struct hd_lock_part *row = &parts->rows[row_of(parts, object)];
    return row->object ? row->with : object;
}

void hd_lock_parts_join(struct hd_lock_parts *parts, uint64_t a, uint64_t b)
{
    uint64_t mutex = HD_PART_MUTEX(a);
    a = hd_lock_parts_of(parts, mutex, HD_PART_NUMBER(a));
    b = hd_lock_parts_of(parts, mutex, HD_PART_NUMBER(b));
    if (a == b)
        return;
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    for (uint32_t i = 0; i < HD_LOCK_PARTS; i++)
        if (parts->rows[i].object && parts->rows[i].with == high)
            parts->rows[i].with = low;
    add(parts, high, low);
    parts->grown = 1;
}

void hd_lock_parts_keep_whole(struct hd_lock_parts *parts, uint64_t mutex)
{
    if (parts->whole || parts->rows[row_of(parts, mutex)].object)
        return;
    add(parts, mutex, mutex);
    parts->grown = 1;
}

void hd_lock_parts_all_whole(struct hd_lock_parts *parts)
{
    parts->grown |= !parts->whole;
    parts->whole = 1;
}

bool hd_lock_parts_check(const struct hd_lock_parts *parts)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < HD_LOCK_PARTS; i++) {
        const struct hd_lock_part *row = &parts->rows[i];
        if (row->object && HD_PART_MUTEX(row->object) != HD_PART_MUTEX(row->with))
            return false;
        n += row->object != 0;
    }
    return n == parts->n && n <= HD_LOCK_PARTS / 2 && parts->whole <= 1 && parts->grown <= 1;
}
