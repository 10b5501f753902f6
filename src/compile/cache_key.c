#include "compile/cache_key.h"

#include "base/fs.h"

#include <string.h>
#include <sys/stat.h>

void hd_cache_key_begin(struct hd_cache_key *key, const char *kind)
{
    hd_blake2s_init(&key->content, NULL, 0);
    hd_blake2s_init(&key->stamp, NULL, 0);
    hd_cache_key_text(key, kind);
}

/* Its length comes first, so that no two lists of texts look alike. */
void hd_cache_key_bytes(struct hd_cache_key *key, const void *bytes, size_t n)
{
    uint64_t size = n;
    hd_blake2s_add(&key->content, &size, sizeof size);
    hd_blake2s_add(&key->content, bytes, n);
}

void hd_cache_key_text(struct hd_cache_key *key, const char *text)
{
    uint64_t none = UINT64_MAX;
    if (text)
        hd_cache_key_bytes(key, text, strlen(text));
    else
        hd_blake2s_add(&key->content, &none, sizeof none);
}

void hd_cache_key_texts(struct hd_cache_key *key, const struct hd_strs *texts)
{
    uint64_t n = texts->n;
    hd_blake2s_add(&key->content, &n, sizeof n);
    for (size_t i = 0; i < texts->n; i++)
        hd_cache_key_text(key, texts->items[i]);
}

void hd_cache_key_file(struct hd_cache_key *key, const char *path, struct hd_str *into)
{
    struct stat st = { 0 };
    struct hd_str own;
    struct hd_err err;
    hd_str_init(&own);
    struct hd_str *text = into ? into : &own;
    size_t before = text->length;
    bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode) && hd_fs_read(path, text, &err) == 0;
    uint64_t stamp[] = { there,
                         st.st_dev,
                         st.st_ino,
                         (uint64_t)st.st_size,
                         (uint64_t)st.st_mtim.tv_sec,
                         (uint64_t)st.st_mtim.tv_nsec,
                         (uint64_t)st.st_ctim.tv_sec,
                         (uint64_t)st.st_ctim.tv_nsec };
    hd_blake2s_add(&key->stamp, stamp, sizeof stamp);
    hd_cache_key_text(key, path);
    if (there)
        hd_cache_key_bytes(key, text->text + before, text->length - before);
    else
        hd_cache_key_text(key, NULL);
    hd_str_release(&own);
}

struct hd_cache_digest hd_cache_key_end(struct hd_cache_key *key)
{
    struct hd_cache_digest digest;
    hd_blake2s_end(&key->content, digest.content);
    hd_blake2s_end(&key->stamp, digest.stamp);
    return digest;
}

bool hd_cache_digest_same(const struct hd_cache_digest *a, const struct hd_cache_digest *b)
{
    return memcmp(a->content, b->content, sizeof a->content) == 0 &&
           memcmp(a->stamp, b->stamp, sizeof a->stamp) == 0;
}
