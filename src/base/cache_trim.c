/* Which results make room for others: those whose last use is longest ago. */
#define _GNU_SOURCE
#include "base/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LONG_AGO 3600 /* seconds after which an unfinished file has lost its writer */

#define NAME_LENGTH ((size_t)2 * HD_CACHE_KEY_BYTES)

struct file {
    char name[NAME_LENGTH + 1];
    struct timespec used;
    uint64_t bytes;
};

struct files {
    struct file *items;
    size_t n, room;
    uint64_t bytes; /* of all */
};

static bool is_ours(const char *name)
{
    return (strlen(name) == NAME_LENGTH && name[strspn(name, "0123456789abcdef")] == 0) ||
           (hd_str_starts(name, "new-") && strlen(name) <= NAME_LENGTH);
}

static void add(struct files *files, const char *name, const struct stat *st)
{
    if (files->n == files->room) {
        files->room = files->room ? 2 * files->room : 256;
        files->items = hd_realloc(files->items, files->room * sizeof *files->items);
    }
    struct file *file = &files->items[files->n++];
    *file = (struct file){ .used = st->st_atim, .bytes = (uint64_t)st->st_size };
    strcpy(file->name, name);
    files->bytes += file->bytes;
}

/* Unfinished files that nobody writes any more are removed on the way. */
static bool list(int folder, struct files *files)
{
    struct stat st;
    time_t now = time(NULL);
    int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    if (dir == NULL) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (!is_ours(entry->d_name) || fstatat(folder, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
            continue;
        if (entry->d_name[0] == 'n' && now - st.st_mtime > LONG_AGO)
            unlinkat(folder, entry->d_name, 0);
        else
            add(files, entry->d_name, &st);
    }
    closedir(dir);
    return true;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct file *)a)->used;
    const struct timespec *y = &((const struct file *)b)->used;
    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

bool hd_cache_trim(const struct hd_cache *cache, uint64_t room)
{
    struct files files = { 0 };
    if (room > cache->limit || !list(cache->folder, &files))
        return false;
    if (files.n > 1 && files.bytes > cache->limit - room)
        qsort(files.items, files.n, sizeof *files.items, by_use);
    for (size_t i = 0; i < files.n && files.bytes > cache->limit - room; i++)
        if (unlinkat(cache->folder, files.items[i].name, 0) == 0)
            files.bytes -= files.items[i].bytes;
    free(files.items);
    return files.bytes <= cache->limit - room;
}
