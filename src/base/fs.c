#define _GNU_SOURCE
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool hd_fs_exists(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

bool hd_fs_is_directory(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool hd_fs_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

int hd_fs_read(const char *path, struct hd_str *into, struct hd_err *err)
{
    const size_t least = 1 << 12;
    uint64_t read_bytes = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return hd_err_set(err, "%s: %s", path, strerror(errno));
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        if ((uint64_t)st.st_size > HD_FS_MOST_BYTES)
            read_bytes = HD_FS_MOST_BYTES; /* refused at the first byte */
        else
            hd_str_reserve(into, (size_t)st.st_size + least);
    }
    for (;;) {
        hd_str_reserve(into, least);
        ssize_t n = read(fd, into->text + into->length, into->room - into->length - 1);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int e = errno;
            close(fd);
            return hd_err_set(err, "%s: cannot be read: %s", path, strerror(e));
        }
        if (n == 0)
            break;
        read_bytes += (uint64_t)n;
        if (read_bytes > HD_FS_MOST_BYTES) {
            close(fd);
            return hd_err_set(err, "%s: larger than 1 GB, the most that is read of a file", path);
        }
        into->length += (size_t)n;
        into->text[into->length] = 0;
    }
    close(fd);
    return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    remove(path);
    return 0;
}

void hd_fs_remove_tree(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

const char *hd_fs_base(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *hd_fs_extension(const char *path)
{
    const char *base = hd_fs_base(path);
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? dot : base + strlen(base);
}

char *hd_fs_with_extension(const char *path, const char *extension)
{
    const char *base = hd_fs_base(path);
    int stem = (int)(hd_fs_extension(path) - base);
    return hd_str_format("%.*s%s", stem, base, extension);
}

char *hd_fs_join(const char *dir, const char *name)
{
    if (name[0] == '/')
        return hd_strdup(name);
    return hd_str_format("%s/%s", dir, name);
}

char *hd_fs_dir(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return hd_strdup(".");
    if (slash == path)
        return hd_strdup("/");
    return hd_str_format("%.*s", (int)(slash - path), path);
}

const char *hd_fs_root(void)
{
    static char root[PATH_MAX];
    if (root[0])
        return root;
    ssize_t n = readlink("/proc/self/exe", root, sizeof root - 1);
    if (n <= 0)
        hd_bug("/proc/self/exe cannot be read: %s", strerror(errno));
    root[n] = 0;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(root, '/');
        if (slash)
            *slash = 0;
    }
    if (root[0] == 0)
        strcpy(root, "/");
    return root;
}

char *hd_fs_which(const char *name)
{
    if (strchr(name, '/'))
        return access(name, X_OK) == 0 && !hd_fs_is_directory(name) ? hd_strdup(name) : NULL;
    const char *path = getenv("PATH");
    if (path == NULL || path[0] == 0)
        path = "/usr/local/bin:/usr/bin:/bin";
    while (*path) {
        const char *end = strchrnul(path, ':');
        int length = (int)(end - path);
        char *candidate = length ? hd_str_format("%.*s/%s", length, path, name)
                                 : hd_str_format("./%s", name);
        if (access(candidate, X_OK) == 0 && !hd_fs_is_directory(candidate))
            return candidate;
        free(candidate);
        path = *end ? end + 1 : end;
    }
    return NULL;
}

int hd_fs_make_folder(const char *path)
{
    char *copy = hd_strdup(path);
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        failed = mkdir(copy, 0700) != 0 && errno != EEXIST && access(copy, F_OK) != 0;
        *slash = '/';
    }
    free(copy);
    return failed || (mkdir(path, 0700) != 0 && errno != EEXIST) ? -1 : 0;
}
