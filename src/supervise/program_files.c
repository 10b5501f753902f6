/* The source files of a program. */
#include "supervise/program.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_in(const char *path, const char *tail)
{
    size_t n = strlen(path), end = strlen(tail);
    return n >= end && strcmp(path + n - end, tail) == 0 &&
           (n == end || path[n - end - 1] == '/');
}

/* False when both are there and are two. */
static bool may_be_same(const struct hd_program *p, const char *path, const char *known)
{
    struct stat a, b;
    char *there = known[0] == '/' ? hd_strdup(known)
                                  : hd_str_format("%s/%s", hd_program_directory(p), known);
    bool both = stat(path, &a) == 0 && stat(there, &b) == 0;
    free(there);
    return !both || (a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

const char *hd_program_file(const struct hd_program *p, const char *path)
{
    const char *tail = path, *found = NULL;
    while (hd_str_starts(tail, "./") || hd_str_starts(tail, "../"))
        tail += *tail == '.' && tail[1] == '.' ? 3 : 2;
    for (uint32_t i = 1; i < hd_program_info(p)->n_sites; i++) {
        const char *file = hd_program_site(p, i).file;
        if (strcmp(file, path) == 0)
            return file;
        if (!*file || (found && strcmp(found, file) == 0) ||
            !(ends_in(file, tail) || (path[0] == '/' && ends_in(path, file))) ||
            !may_be_same(p, path, file))
            continue;
        if (found)
            return path; /* it may be either */
        found = file;
    }
    return found ? found : path;
}
