#include "supervise/parts.h"

#include "core/pack.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_HEAD (1u << 16) /* of everything but lists and bytes */

void hd_part_unit_release(struct hd_part_unit *unit) { hd_str_release(&unit->bytes); }

void hd_part_result_release(struct hd_part_result *result)
{
    free(result->left);
    free(result->keys);
    hd_str_release(&result->workers);
    *result = (struct hd_part_result){ .n_left = 0 };
    hd_str_init(&result->workers);
}

void hd_part_release(struct hd_part *part)
{
    for (uint32_t i = 0; i < part->n_units; i++)
        hd_part_unit_release(&part->units[i]);
    free(part->units);
    hd_part_result_release(&part->result);
    part->units = NULL;
    part->n_units = part->room_units = 0;
}

/* Room for one more, of `size` bytes each. */
static void *grow(void *items, uint64_t n, uint64_t *room, size_t size)
{
    if (n < *room)
        return items;
    *room = *room ? 2 * *room : 16;
    return hd_realloc(items, *room * size);
}

struct hd_part_unit *hd_part_add_unit(struct hd_part *part)
{
    uint64_t room = part->room_units;
    part->units = grow(part->units, part->n_units, &room, sizeof *part->units);
    part->room_units = (uint32_t)room;
    struct hd_part_unit *unit = &part->units[part->n_units++];
    *unit = (struct hd_part_unit){ .classes = 0 };
    hd_str_init(&unit->bytes);
    return unit;
}

void hd_part_add_left(struct hd_part_result *result, const struct hd_part_id *id,
                      const char *name)
{
    uint64_t room = result->room_left;
    result->left = grow(result->left, result->n_left, &room, sizeof *result->left);
    result->room_left = (uint32_t)room;
    struct hd_part_ref *ref = &result->left[result->n_left++];
    *ref = (struct hd_part_ref){ .id = *id };
    memcpy(ref->name, name, strnlen(name, sizeof ref->name - 1));
}

void hd_part_add_keys(struct hd_part_result *result, const uint64_t *keys, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        result->keys = grow(result->keys, result->n_keys, &result->room_keys,
                            sizeof *result->keys);
        result->keys[result->n_keys++] = keys[i];
    }
}

bool hd_part_same(const struct hd_part_id *a, const struct hd_part_id *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* ---- as bytes ---- */

void hd_parts_pack_text(struct hd_pack *p, struct hd_str *text)
{
    uint64_t n = text->length;
    hd_pack_count64(p, &n, UINT64_MAX);
    if (p->bad)
        return;
    if (p->reading) {
        hd_str_append_bytes(text, p->at, n);
        p->at += n;
    } else {
        hd_pack_bytes(p, text->text, n);
    }
}

static void pack_unit(struct hd_pack *p, struct hd_part_unit *unit)
{
    hd_pack_u64(p, &unit->classes);
    hd_pack_u32(p, &unit->threads.n, HD_MAX_THREADS);
    hd_pack_want(p, unit->threads.n != 0);
    for (uint32_t i = 1; i < unit->threads.n && !p->bad; i++) {
        uint32_t parent = unit->threads.names[i].parent, nth = unit->threads.names[i].nth;
        hd_pack_u32(p, &parent, i - 1);
        hd_pack_u32(p, &nth, UINT16_MAX);
        unit->threads.names[i] = (struct hd_thread_name){ (uint16_t)parent, (uint16_t)nth };
    }
    hd_parts_pack_text(p, &unit->bytes);
    hd_pack_want(p, unit->bytes.length != 0);
}

/* Names go into messages and, with the directory, into paths: letters, digits, '-' and '.'. */
static bool is_name(const char *name)
{
    size_t n = strnlen(name, HD_MAX_UNIT_NAME);
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    return n > 0 && n < HD_MAX_UNIT_NAME && strspn(name, allowed) == n && name[0] != '.';
}

static void pack_left(struct hd_pack *p, struct hd_part_result *r)
{
    uint32_t n = r->n_left;
    hd_pack_count(p, &n, HD_MAX_LEFT);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        struct hd_part_ref ref = { .name = "" };
        if (!p->reading)
            ref = r->left[i];
        uint32_t length = (uint32_t)strlen(ref.name);
        hd_pack_bytes(p, ref.id.bytes, sizeof ref.id.bytes);
        hd_pack_u32(p, &length, HD_MAX_UNIT_NAME - 1);
        hd_pack_bytes(p, ref.name, length);
        hd_pack_want(p, is_name(ref.name));
        if (p->reading && !p->bad)
            hd_part_add_left(r, &ref.id, ref.name);
    }
}

static void pack_keys(struct hd_pack *p, struct hd_part_result *r)
{
    uint64_t n = r->n_keys;
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; i < n && !p->bad; i++) {
        uint64_t key = p->reading ? 0 : r->keys[i];
        hd_pack_bytes(p, &key, sizeof key);
        if (p->reading && !p->bad)
            hd_part_add_keys(r, &key, 1);
    }
}

static void pack_result(struct hd_pack *p, struct hd_part_result *r)
{
    uint64_t milliseconds = (uint64_t)(r->seconds * 1000);
    hd_pack_bytes(p, r->unit.bytes, sizeof r->unit.bytes);
    hd_pack_bool(p, &r->broke);
    hd_pack_u64(p, &r->classes);
    hd_pack_u64(p, &milliseconds);
    pack_left(p, r);
    hd_pack_u32(p, &r->n_workers, UINT32_MAX);
    hd_parts_pack_text(p, &r->workers);
    pack_keys(p, r);
    r->seconds = (double)milliseconds / 1000;
}

/* ---- files ---- */

/* The bytes of a unit; the caller releases them. */
static struct hd_str unit_bytes(struct hd_part_unit *unit)
{
    struct hd_str payload;
    size_t room = ROOM_HEAD + unit->bytes.length;
    void *bytes = hd_alloc(room);
    struct hd_pack p = hd_pack_writer(bytes, room);
    pack_unit(&p, unit);
    hd_str_init(&payload);
    hd_str_append_bytes(&payload, bytes, (size_t)(p.at - (uint8_t *)bytes));
    free(bytes);
    return payload;
}

void hd_part_identify(struct hd_part_unit *unit, const struct hd_checkpoint *what)
{
    struct hd_str payload = unit_bytes(unit);
    struct hd_blake2s state;
    uint64_t digest = hd_checkpoint_digest(what);
    char build[33];
    hd_program_build(what->program, build);
    hd_blake2s_init(&state, NULL, 0);
    hd_blake2s_add(&state, build, sizeof build);
    hd_blake2s_add(&state, &digest, sizeof digest);
    hd_blake2s_add(&state, payload.text, payload.length);
    hd_blake2s_end(&state, unit->id.bytes);
    hd_str_release(&payload);
}

int hd_part_unit_write(const char *path, struct hd_part_unit *unit,
                       const struct hd_checkpoint *what, struct hd_err *err)
{
    struct hd_str payload = unit_bytes(unit);
    int failed = hd_sealed_write(path, HD_SEALED_UNIT, what, &payload, err);
    hd_str_release(&payload);
    return failed;
}

int hd_part_unit_read(const char *path, struct hd_part_unit *unit,
                      const struct hd_checkpoint *what, struct hd_err *err)
{
    struct hd_str payload;
    hd_str_init(&payload);
    int failed = hd_sealed_read(path, HD_SEALED_UNIT, what, &payload, err);
    struct hd_pack p = hd_pack_reader(payload.text, payload.length);
    if (!failed) {
        pack_unit(&p, unit);
        if (p.bad || p.at != p.end)
            failed = hd_err_set(err, "%s is damaged: no work unit has these bytes", path);
        else
            hd_part_identify(unit, what);
    }
    hd_str_release(&payload);
    return failed;
}

static bool is_manifest(const struct hd_part_result *r)
{
    static const struct hd_part_id none;
    return hd_part_same(&r->unit, &none);
}

int hd_part_result_write(const char *path, const struct hd_part_result *result,
                         const struct hd_checkpoint *what, struct hd_err *err)
{
    struct hd_part_result r = *result;
    size_t room = ROOM_HEAD + r.workers.length + r.n_keys * sizeof *r.keys +
                  r.n_left * (sizeof *r.left + 8);
    void *bytes = hd_alloc(room);
    struct hd_pack p = hd_pack_writer(bytes, room);
    struct hd_str payload;
    pack_result(&p, &r);
    hd_str_init(&payload);
    hd_str_append_bytes(&payload, bytes, (size_t)(p.at - (uint8_t *)bytes));
    int failed = hd_sealed_write(path, is_manifest(&r) ? HD_SEALED_MANIFEST : HD_SEALED_RESULT,
                                 what, &payload, err);
    hd_str_release(&payload);
    free(bytes);
    return failed;
}

int hd_part_result_read(const char *path, bool manifest, struct hd_part_result *result,
                        const struct hd_checkpoint *what, struct hd_err *err)
{
    struct hd_str payload;
    hd_str_init(&payload);
    int failed = hd_sealed_read(path, manifest ? HD_SEALED_MANIFEST : HD_SEALED_RESULT, what,
                                &payload, err);
    struct hd_pack p = hd_pack_reader(payload.text, payload.length);
    *result = (struct hd_part_result){ .n_left = 0 };
    hd_str_init(&result->workers);
    if (!failed) {
        pack_result(&p, result);
        if (p.bad || p.at != p.end || is_manifest(result) != manifest)
            failed = hd_err_set(err, "%s is damaged: no result has these bytes", path);
    }
    hd_str_release(&payload);
    return failed;
}
