#include "compile/library.h"

#include "base/fs.h"

#include <stdlib.h>

char *hd_library_find(const struct hd_driver *driver, const char *name)
{
    const struct hd_strs *dirs = &driver->library_dirs;
    static const char *const forms[] = { "%s/lib%s.so", "%s/lib%s.a" };
    for (size_t i = 0; i < dirs->n; i++) {
        if (name[0] == ':') {
            char *path = hd_fs_join(dirs->items[i], name + 1);
            if (hd_fs_exists(path))
                return path;
            free(path);
            continue;
        }
        for (size_t f = 0; f < 2; f++) {
            char *path = f == 0 ? hd_str_format(forms[0], dirs->items[i], name)
                                : hd_str_format(forms[1], dirs->items[i], name);
            if (hd_fs_exists(path))
                return path;
            free(path);
        }
    }
    return NULL;
}
