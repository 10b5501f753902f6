#define _GNU_SOURCE
#include "base/cache.h"

#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_LIMIT (UINT64_C(2) << 30)

/* The folder if nobody names one; NULL: the environment has no place for it. */
static char *usual_folder(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return hd_str_format("%s/heddle", cache);
    return home && *home == '/' && access(home, X_OK) == 0
               ? hd_str_format("%s/.cache/heddle", home)
               : NULL;
}

/* Opens it, makes it before if it is not there.  Whoever owns the folders above it cannot do
 * more than put another folder in its place, which is looked at here. */
static int open_folder(const char *path, struct hd_err *err)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT) {
        if (hd_fs_make_folder(path) != 0)
            return hd_err_set(err, "%s cannot be made: %s", path, strerror(errno));
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    if (fd < 0 || fstat(fd, &st) != 0) {
        hd_err_set(err, "%s cannot be opened: %s", path, strerror(errno));
    } else if (st.st_uid != geteuid()) {
        hd_err_set(err, "%s belongs to another user", path);
    } else if (st.st_mode & 077) {
        hd_err_set(err, "%s is open to others: chmod 700 it", path);
    } else {
        return fd;
    }
    if (fd >= 0)
        close(fd);
    return -1;
}

static int choose_folder(struct hd_cache *cache, struct hd_err *err)
{
    const char *named = getenv("HEDDLE_CACHE");
    struct hd_err why;
    if (named && strcmp(named, "off") == 0)
        return 0;
    if (named && *named) {
        if (*named != '/')
            return hd_err_set(
                err, "HEDDLE_CACHE is `%s': give the whole path of a folder, or off", named);
        cache->folder = open_folder(named, &why);
        return cache->folder >= 0 ? 0
                                  : hd_err_set(err,
                                               "HEDDLE_CACHE: %s (or name another folder, or "
                                               "off)",
                                               why.text);
    }
    char *path = usual_folder();
    if (path == NULL)
        return 0;
    cache->folder = open_folder(path, &why);
    if (cache->folder < 0 && hd_fs_exists(path))
        fprintf(stderr,
                "heddle: the cache is not used: %s (HEDDLE_CACHE names another folder, or off)\n",
                why.text);
    free(path);
    return 0;
}

static int choose_limit(struct hd_cache *cache, struct hd_err *err)
{
    static const char units[] = "KMGT";
    const char *text = getenv("HEDDLE_CACHE_SIZE");
    cache->limit = DEFAULT_LIMIT;
    if (text == NULL || *text == 0)
        return 0;
    char *end = NULL;
    errno = 0;
    unsigned long long n = *text >= '0' && *text <= '9' ? strtoull(text, &end, 10) : 0;
    const char *unit = end && *end ? strchr(units, *end) : NULL;
    unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (n == 0 || errno || (*end && (unit == NULL || end[1])) || n > UINT64_MAX >> shift)
        return hd_err_set(err,
                          "HEDDLE_CACHE_SIZE is `%s': give a number of bytes, or one with K, M, "
                          "G or T (HEDDLE_CACHE=off: no cache)",
                          text);
    cache->limit = (uint64_t)n << shift;
    return 0;
}

static int choose_log(struct hd_cache *cache, struct hd_err *err)
{
    const char *path = getenv("HEDDLE_CACHE_LOG");
    if (path == NULL || *path == 0)
        return 0;
    cache->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    return cache->log >= 0 ? 0
                           : hd_err_set(err, "HEDDLE_CACHE_LOG: %s cannot be written: %s", path,
                                        strerror(errno));
}

int hd_cache_open(struct hd_cache *cache, struct hd_err *err)
{
    *cache = (struct hd_cache){ .folder = -1, .log = -1 };
    if (choose_limit(cache, err) == 0 && choose_log(cache, err) == 0 &&
        choose_folder(cache, err) == 0)
        return 0;
    hd_cache_close(cache);
    return -1;
}

void hd_cache_close(struct hd_cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    if (cache->log >= 0)
        close(cache->log);
    *cache = (struct hd_cache){ .folder = -1, .log = -1 };
}

void hd_cache_say(const struct hd_cache *cache, const char *format, ...)
{
    if (cache->log < 0)
        return;
    va_list args;
    struct hd_str line;
    hd_str_init(&line);
    va_start(args, format);
    hd_str_vappendf(&line, format, args);
    va_end(args);
    hd_str_append_char(&line, '\n');
    if (write(cache->log, line.text, line.length) < 0)
        errno = 0; /* the log is for people; results do not depend on it */
    hd_str_release(&line);
}
