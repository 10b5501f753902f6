#include "report/quoted.h"

#include "base/fs.h"
#include "base/shown.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES (64 << 20)

/* C and C++, what they include, and what generators make them of. */
static const char *const extensions[] = {
    ".c",   ".h",    ".i",   ".ii",  ".C",   ".cc",  ".cp",  ".cpp", ".cxx", ".c++", ".H",
    ".hh",  ".hp",   ".hpp", ".hxx", ".h++", ".tcc", ".tpp", ".txx", ".ipp", ".inc", ".inl",
    ".def", ".cppm", ".ixx", ".y",   ".yy",  ".l",   ".ll",  ".lex", ".re",  ".rl",  ".gperf"
};

/* Headers of C++ have names without an extension. */
static const char *const system_folders[] = { "/usr/include/", "/usr/local/include/",
                                              "/usr/lib/gcc/", "/usr/lib/llvm-",
                                              "/usr/lib/clang/" };

static bool is_source(const char *path)
{
    const char *extension = hd_fs_extension(path);
    for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
        if (strcmp(extension, extensions[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++)
        if (hd_str_starts(path, system_folders[i]))
            return true;
    return false;
}

bool hd_quoted_read(const char *path, const char *directory, struct hd_str *text)
{
    struct stat is;
    struct hd_err ignored;
    char *real = realpath(path, NULL);
    char *folder = path[0] != '/' && *directory ? realpath(directory, NULL) : NULL;
    while (!real && folder && *folder) {
        char *there = hd_str_format("%s/%s", folder, path);
        real = realpath(there, NULL);
        free(there);
        *strrchr(folder, '/') = 0;
    }
    free(folder);
    bool wanted = real && is_source(real) && stat(real, &is) == 0 && S_ISREG(is.st_mode) &&
                  is.st_size <= MOST_BYTES;
    struct hd_str bytes;
    hd_str_init(&bytes);
    bool read = wanted && hd_fs_read(real, &bytes, &ignored) == 0;
    if (read)
        hd_shown_lines(text, bytes.text, bytes.length);
    hd_str_release(&bytes);
    free(real);
    return read;
}
