#define _GNU_SOURCE
#include "base/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* What precedes the bytes. */
struct head {
    char magic[8];
    uint8_t key[HD_CACHE_KEY_BYTES];
    uint8_t hash[HD_BLAKE2S_BYTES];
    uint64_t size;
};

static const char magic[8] = "heddle1\n";

struct name {
    char text[2 * HD_CACHE_KEY_BYTES + 1];
};

static struct name name_of(const uint8_t key[HD_CACHE_KEY_BYTES])
{
    struct name name;
    for (size_t i = 0; i < HD_CACHE_KEY_BYTES; i++)
        snprintf(name.text + 2 * i, 3, "%02x", key[i]);
    return name;
}

static struct head head_of(const uint8_t key[HD_CACHE_KEY_BYTES], const void *bytes, size_t n)
{
    struct head head = { .size = n };
    struct hd_blake2s state;
    memcpy(head.magic, magic, sizeof magic);
    memcpy(head.key, key, sizeof head.key);
    hd_blake2s_init(&state, NULL, 0);
    hd_blake2s_add(&state, key, HD_CACHE_KEY_BYTES);
    hd_blake2s_add(&state, bytes, n);
    hd_blake2s_end(&state, head.hash);
    return head;
}

static bool read_all(int fd, void *into, size_t n)
{
    for (char *to = into; n > 0;) {
        ssize_t done = read(fd, to, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        to += done;
        n -= (size_t)done;
    }
    return true;
}

static bool write_all(int fd, const void *bytes, size_t n)
{
    for (const char *from = bytes; n > 0;) {
        ssize_t done = write(fd, from, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}

static bool read_entry(int fd, const uint8_t key[HD_CACHE_KEY_BYTES], struct hd_str *into)
{
    struct stat st;
    struct head said;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() ||
        (uint64_t)st.st_size < sizeof said || !read_all(fd, &said, sizeof said) ||
        said.size != (uint64_t)st.st_size - sizeof said)
        return false;
    size_t n = (size_t)said.size;
    char *bytes = hd_alloc(n + 1);
    bool right = read_all(fd, bytes, n);
    struct head head = head_of(key, bytes, n);
    right = right && memcmp(&head, &said, sizeof head) == 0;
    if (right)
        hd_str_append_bytes(into, bytes, n);
    free(bytes);
    return right;
}

bool hd_cache_get(const struct hd_cache *cache, const uint8_t key[HD_CACHE_KEY_BYTES],
                  struct hd_str *into)
{
    static const struct timespec used[2] = { { .tv_nsec = UTIME_NOW },
                                             { .tv_nsec = UTIME_OMIT } };
    struct name name = name_of(key);
    if (cache->folder < 0)
        return false;
    int fd = openat(cache->folder, name.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool right = read_entry(fd, key, into);
    if (right)
        futimens(fd, used); /* the mount option noatime does not matter */
    else
        unlinkat(cache->folder, name.text, 0);
    close(fd);
    return right;
}

bool hd_cache_put(const struct hd_cache *cache, const uint8_t key[HD_CACHE_KEY_BYTES],
                  const void *bytes, size_t n)
{
    uint64_t number;
    char temp[48];
    struct name name = name_of(key);
    struct head head = head_of(key, bytes, n);
    if (cache->folder < 0 || !hd_cache_trim(cache, n + sizeof head) ||
        getrandom(&number, sizeof number, 0) != sizeof number)
        return false;
    snprintf(temp, sizeof temp, "new-%d-%016llx", (int)getpid(), (unsigned long long)number);
    int fd = openat(cache->folder, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0600);
    if (fd < 0)
        return false;
    bool stored = write_all(fd, &head, sizeof head) && write_all(fd, bytes, n);
    stored = close(fd) == 0 && stored;
    stored = stored && renameat(cache->folder, temp, cache->folder, name.text) == 0;
    if (!stored)
        unlinkat(cache->folder, temp, 0);
    return stored;
}
