#define _GNU_SOURCE
#include "supervise/sealed.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/key.h"
#include "base/version.h"
#include "core/pack_parts.h"

#include <stdio.h>
#include <string.h>

#define FORMAT 1u /* of what is around HD_UNIT_VERSION */

struct head {
    char magic[24];
    char heddle[24]; /* heddle's version, for messages */
    uint32_t format, version;
    char build[36];
    uint32_t pad;
    uint64_t digest;
    uint64_t bytes; /* of the payload */
};

struct end {
    uint64_t hash;
    uint8_t signature[HD_BLAKE2S_BYTES];
};

static const struct {
    const char *magic, *name, *remedy; /* when it is damaged */
} kinds[HD_N_SEALED] = {
    [HD_SEALED_UNIT] = { "heddle-unit\n", "work unit",
                         "copy it again, or remove the directory and split the program again" },
    [HD_SEALED_RESULT] = { "heddle-result\n", "result of a work unit",
                           "remove it, and explore its unit again (check --distributed does "
                           "so by itself)" },
    [HD_SEALED_MANIFEST] = { "heddle-manifest\n", "manifest of `heddle split`",
                             "copy it again, or remove the directory and split the program "
                             "again" },
};

static struct head make_head(enum hd_sealed_kind kind, const struct hd_checkpoint *what)
{
    struct head head = { .format = FORMAT, .version = HD_UNIT_VERSION };
    char build[33];
    snprintf(head.magic, sizeof head.magic, "%s", kinds[kind].magic);
    snprintf(head.heddle, sizeof head.heddle, "%s", HD_VERSION);
    hd_program_build(what->program, build);
    memcpy(head.build, build, sizeof build);
    head.digest = hd_checkpoint_digest(what);
    return head;
}

/* Returns whether there is a key to sign with; if not, why. */
static bool seal(struct end *end, const void *bytes, size_t n, bool create, struct hd_err *why)
{
    struct hd_key key; /* without one there is no signature */
    bool has_key = hd_key_get(&key, create, why) == 0;
    *end = (struct end){ .hash = hd_hash_bytes(n, bytes, n) };
    if (has_key) {
        struct hd_blake2s state;
        hd_key_begin(&state, &key, "heddle-unit");
        hd_blake2s_add(&state, bytes, n);
        hd_blake2s_end(&state, end->signature);
    }
    explicit_bzero(&key, sizeof key);
    return has_key;
}

int hd_sealed_write(const char *path, enum hd_sealed_kind kind, const struct hd_checkpoint *what,
                    const struct hd_str *payload, struct hd_err *err)
{
    struct hd_str file;
    struct head head = make_head(kind, what);
    struct end end;
    struct hd_err ignored;
    head.bytes = payload->length;
    hd_str_init(&file);
    hd_str_append_bytes(&file, &head, sizeof head);
    hd_str_append_bytes(&file, payload->text, payload->length);
    seal(&end, file.text, file.length, true, &ignored);
    hd_str_append_bytes(&file, &end, sizeof end);
    int failed = hd_fs_write(path, file.text, file.length, err);
    hd_str_release(&file);
    return failed;
}

static bool is_kind(const struct head *head, enum hd_sealed_kind kind)
{
    char magic[sizeof head->magic] = { 0 };
    memcpy(magic, kinds[kind].magic, strlen(kinds[kind].magic));
    return memcmp(head->magic, magic, sizeof magic) == 0;
}

/* Every byte but the signature is hashed.  The file has room for head and end. */
static bool is_whole(const struct hd_str *file)
{
    struct end end;
    size_t n = file->length - sizeof end;
    memcpy(&end, file->text + n, sizeof end);
    return hd_hash_bytes(n, file->text, n) == end.hash;
}

/* Is the file, whose hash does not fit, one that this version of heddle has written?  A single
 * number of the head may be what is damaged. */
static bool was_ours(const struct head *head, const struct head *want, enum hd_sealed_kind kind)
{
    bool version = memcmp(head->heddle, want->heddle, sizeof head->heddle) == 0;
    int same = is_kind(head, kind) + (head->format == want->format) +
               (head->version == want->version) + version;
    return same >= 3;
}

static int refuse_damaged(enum hd_sealed_kind kind, const char *path, const char *how,
                          struct hd_err *err)
{
    return hd_err_set(err, "%s is damaged: %s%s", path, how, kinds[kind].remedy);
}

static int refuse(const struct head *head, const struct head *want, enum hd_sealed_kind kind,
                  const char *path, struct hd_err *err)
{
    if (!is_kind(head, kind))
        return hd_err_set(err, "%s is no %s", path, kinds[kind].name);
    if (head->format != want->format || head->version != want->version)
        return hd_err_set(err,
                          "%s was made by another version of heddle (%.20s); this is %s: split "
                          "the program again",
                          path, head->heddle, HD_VERSION);
    if (memcmp(head->build, want->build, sizeof head->build) != 0)
        return hd_err_set(err,
                          "%s is of another program: it was made with build %.32s, this one is "
                          "%.32s",
                          path, head->build, want->build);
    if (head->digest != want->digest)
        return hd_err_set(err,
                          "%s was made with other options, or other arguments of the program: "
                          "give those that it was made with",
                          path);
    return 0;
}

/* A file that is damaged is called so, whatever its head says: one byte of that may be what is
 * damaged.  Of another version nothing but the first bytes is known. */
static int check_whole(const struct hd_str *file, const struct head *head,
                       const struct head *want, enum hd_sealed_kind kind, const char *path,
                       struct hd_err *err)
{
    size_t around = sizeof *head + sizeof(struct end);
    if (file->length >= around && is_whole(file))
        return head->bytes == file->length - around
                   ? 0
                   : refuse_damaged(kind, path, "it has another length than it says; ", err);
    if (!was_ours(head, want, kind))
        return 0;
    bool cut = file->length < around || head->bytes != file->length - around;
    return refuse_damaged(kind, path, cut ? "it has another length than it says; " : "", err);
}

int hd_sealed_read(const char *path, enum hd_sealed_kind kind, const struct hd_checkpoint *what,
                   struct hd_str *payload, struct hd_err *err)
{
    struct hd_str file;
    struct head head = { 0 }, want = make_head(kind, what);
    struct end end, right;
    struct hd_err why;
    hd_str_init(&file);
    int failed = hd_fs_read(path, &file, err);
    memcpy(&head, file.text, file.length < sizeof head ? file.length : sizeof head);
    failed = failed || check_whole(&file, &head, &want, kind, path, err) ||
             refuse(&head, &want, kind, path, err);
    if (!failed) {
        memcpy(&end, file.text + sizeof head + head.bytes, sizeof end);
        bool has_key = seal(&right, file.text, sizeof head + head.bytes, false, &why);
        if (!what->trust && !has_key)
            failed = hd_err_set(err,
                                "it cannot be told who made %s, and what it says is believed: "
                                "there is no key (%s); copy yours from where it was made, or "
                                "give --trust if you know where that is",
                                path, why.text);
        else if (!what->trust && hd_blake2s_same(end.signature, right.signature))
            failed = 0;
        else if (!what->trust && hd_key_nearly(end.signature, right.signature))
            failed = refuse_damaged(kind, path, "", err);
        else if (!what->trust)
            failed = hd_err_set(err,
                                "%s was not made by this user, and what it says is believed: if "
                                "you know where it is from, give --trust",
                                path);
    }
    if (!failed)
        hd_str_append_bytes(payload, file.text + sizeof head, head.bytes);
    hd_str_release(&file);
    return failed;
}
