/* Functions of the library that walk through directories by themselves: with a private view of
 * files (private.h) only as long as the program has changed nothing.  Their declarations are
 * not included: all of them have a path and up to three more arguments, which are handed on. */
#include "runtime/private.h"
#include "runtime/rt.h"

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

#define WALK(name)                                                                               \
    int name(const char *path, long a, long b, long c);                                          \
    int name(const char *path, long a, long b, long c)                                           \
    {                                                                                            \
        if (hd_private_on() && rt->private_files.n)                                              \
            hd_private_refuse(                                                                   \
                #name, path,                                                                     \
                "the lists of directories after the program has changed files are "              \
                "not modelled by this version of heddle");                                       \
        return REAL(int (*)(const char *, long, long, long), #name)(path, a, b, c);              \
    }
WALK(scandir)
WALK(scandir64)
WALK(ftw)
WALK(ftw64)
WALK(nftw)
WALK(nftw64)
WALK(glob)
WALK(glob64)
