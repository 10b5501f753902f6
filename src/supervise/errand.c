#include "supervise/errand.h"

#include "base/fs.h"
#include "base/hash.h"
#include "core/pack.h"
#include "supervise/parts.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC 0x6464685f646e6172ull
#define VERSION 3u
#define MOST_FILES 4096
#define MOST_SIGNAL 64

void hd_errand_init(struct hd_errand *e, enum hd_errand_kind kind)
{
    *e = (struct hd_errand){ .kind = kind };
    hd_str_init(&e->text);
}

void hd_errand_release(struct hd_errand *e)
{
    for (uint32_t i = 0; i < e->n_files; i++)
        hd_str_release(&e->files[i].bytes);
    free(e->files);
    hd_str_release(&e->text);
}

static struct hd_errand_file *add(struct hd_errand *e)
{
    e->files = hd_realloc(e->files, (e->n_files + 1) * sizeof *e->files);
    struct hd_errand_file *file = &e->files[e->n_files++];
    memset(file, 0, sizeof *file);
    hd_str_init(&file->bytes);
    return file;
}

int hd_errand_add(struct hd_errand *e, const char *directory, const char *name,
                  struct hd_err *err)
{
    struct hd_errand_file *file = add(e);
    if (strlen(name) >= sizeof file->name)
        return hd_err_set(err, "the name of the file is too long: %s", name);
    memcpy(file->name, name, strlen(name));
    char *path = hd_fs_join(directory, name);
    int failed = hd_fs_read(path, &file->bytes, err);
    free(path);
    return failed;
}

int hd_errand_save(const struct hd_errand *e, const char *directory, struct hd_err *err)
{
    int failed = 0;
    for (uint32_t i = 0; i < e->n_files && !failed; i++) {
        char *path = hd_fs_join(directory, e->files[i].name);
        failed = hd_fs_write(path, e->files[i].bytes.text, e->files[i].bytes.length, err);
        free(path);
    }
    return failed;
}

/* A file of the ledger: no other is ever written. */
static bool is_name(const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._";
    return strspn(name, allowed) == strlen(name) && name[0] != '.' &&
           (hd_str_ends(name, ".unit") || hd_str_ends(name, ".result"));
}

static void pack_file(struct hd_pack *p, struct hd_errand_file *file)
{
    uint32_t length = (uint32_t)strlen(file->name);
    hd_pack_u32(p, &length, sizeof file->name - 1);
    hd_pack_bytes(p, file->name, length);
    hd_pack_want(p, is_name(file->name));
    hd_parts_pack_text(p, &file->bytes);
}

static void pack_far(struct hd_pack *p, struct hd_errand_far *far)
{
    hd_pack_u64(p, &far->round);
    hd_pack_u64(p, &far->given);
    hd_pack_u64(p, &far->taken);
    hd_pack_u64(p, &far->done);
    hd_pack_u64(p, &far->waiting);
    hd_pack_u64(p, &far->busy);
    hd_pack_bytes(p, &far->share, sizeof far->share);
    hd_pack_want(p, far->share >= 0 && far->share <= 2); /* sums are rounded */
    hd_pack_bool(p, &far->quiet);
}

static void pack(struct hd_pack *p, struct hd_errand *e)
{
    uint64_t magic = MAGIC;
    uint32_t n = e->n_files;
    hd_pack_part(p, VERSION);
    hd_pack_bytes(p, &magic, sizeof magic);
    hd_pack_want(p, magic == MAGIC);
    hd_pack_u32(p, &e->kind, HD_N_ERRANDS - 1);
    hd_pack_bool(p, &e->broke);
    hd_pack_u32(p, &e->signal, MOST_SIGNAL);
    hd_pack_u64(p, &e->milliseconds);
    hd_pack_u64(p, &e->executions);
    pack_far(p, &e->far);
    hd_parts_pack_text(p, &e->text);
    hd_pack_count(p, &n, MOST_FILES);
    for (uint32_t i = 0; i < n && !p->bad; i++)
        pack_file(p, p->reading ? add(e) : &e->files[i]);
}

void hd_errand_write(const struct hd_errand *errand, struct hd_str *bytes)
{
    struct hd_errand e = *errand;
    size_t room = 256 + e.text.length;
    for (uint32_t i = 0; i < e.n_files; i++)
        room += sizeof *e.files + e.files[i].bytes.length;
    void *memory = hd_alloc(room);
    struct hd_pack p = hd_pack_writer(memory, room);
    pack(&p, &e);
    size_t n = (size_t)(p.at - (uint8_t *)memory);
    uint64_t hash = hd_hash_bytes(n, memory, n);
    hd_str_append_bytes(bytes, memory, n);
    hd_str_append_bytes(bytes, &hash, sizeof hash);
    free(memory);
}

int hd_errand_read(struct hd_errand *e, void *bytes, size_t n, struct hd_err *err)
{
    uint64_t hash = 0;
    hd_errand_init(e, HD_ERRAND_ASK);
    if (n > sizeof hash)
        memcpy(&hash, (char *)bytes + n - sizeof hash, sizeof hash);
    if (n <= sizeof hash || hash != hd_hash_bytes(n - sizeof hash, bytes, n - sizeof hash))
        return hd_err_set(err, "a message between ranks is damaged");
    struct hd_pack p = hd_pack_reader(bytes, n - sizeof hash);
    pack(&p, e);
    return p.bad || p.at != p.end
               ? hd_err_set(err, "a message between ranks is damaged, or of another version of "
                                 "heddle: run the same on all machines")
               : 0;
}

int hd_errand_send(const struct hd_ranks *ranks, int to, const struct hd_errand *errand,
                   struct hd_err *err)
{
    struct hd_str bytes;
    hd_str_init(&bytes);
    hd_errand_write(errand, &bytes);
    int failed = ranks->send(to, bytes.text, bytes.length, err);
    hd_str_release(&bytes);
    return failed;
}

int hd_errand_receive(const struct hd_ranks *ranks, int milliseconds, int *from,
                      struct hd_errand *errand, struct hd_err *err)
{
    void *bytes = NULL;
    size_t n = 0;
    int got = ranks->receive(milliseconds, from, &bytes, &n, err);
    if (got != 1)
        return got;
    got = hd_errand_read(errand, bytes, n, err) == 0 ? 1 : -1;
    if (got < 0)
        hd_errand_release(errand);
    free(bytes);
    return got;
}
