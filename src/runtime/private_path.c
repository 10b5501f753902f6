/* What a path means in the private view: one part after the other, each looked for in the
 * table and then in the real file system. */
#include "runtime/private.h"

#include "runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/syscall.h>

#define MOST_LINKS 40

#define AT(p) ((long)(uintptr_t)(p))

struct hd_private *hd_private_find(const char *path)
{
    struct hd_private_files *all = &rt->private_files;
    for (uint32_t i = 0; i < all->n; i++)
        if (strcmp(all->entry[i].path, path) == 0)
            return &all->entry[i];
    return NULL;
}

bool hd_private_below(const char *path)
{
    const struct hd_private_files *all = &rt->private_files;
    size_t n = strcmp(path, "/") == 0 ? 0 : strlen(path);
    for (uint32_t i = 0; i < all->n; i++) {
        const char *other = all->entry[i].path;
        if (strncmp(other, path, n) == 0 && other[n] == '/' && !strchr(other + n + 1, '/'))
            return true;
    }
    return false;
}

bool hd_private_holds(const char *path)
{
    const struct hd_private_files *all = &rt->private_files;
    size_t n = strlen(path);
    for (uint32_t i = 0; i < all->n; i++)
        if (all->entry[i].kind != HD_PRIVATE_GONE && strncmp(all->entry[i].path, path, n) == 0 &&
            all->entry[i].path[n] == '/')
            return true;
    return false;
}

bool hd_place_exists(const struct hd_place *p)
{
    return p->entry ? p->entry->kind != HD_PRIVATE_GONE : p->real;
}

static bool fail(int error)
{
    errno = error;
    return false;
}

/* Where relative paths begin. */
static bool begin(char *into, int at)
{
    char link[HD_PRIVATE_LINK];
    if (at == AT_FDCWD)
        return hd_syscall(SYS_getcwd, AT(into), HD_PRIVATE_PATH, 0, 0, 0, 0) > 0;
    if (at < 0 || at > 99999)
        return fail(EBADF);
    hd_private_link(at, link);
    long got = hd_syscall(SYS_readlink, AT(link), AT(into), HD_PRIVATE_PATH - 1, 0, 0, 0);
    if (got < 0)
        return fail(EBADF);
    into[got] = 0;
    return into[0] == '/' && !strstr(into, " (deleted)") ? true : fail(ENOTDIR);
}

/* What is at p->path, of what lies in something that is really there if `visible`. */
static void look(struct hd_place *p, bool visible)
{
    int saved = errno;
    p->entry = hd_private_find(p->path);
    p->real = !p->entry && visible &&
              hd_syscall(SYS_newfstatat, AT_FDCWD, AT(p->path), AT(&p->is), AT_SYMLINK_NOFOLLOW,
                         0, 0) == 0;
    errno = saved;
}

struct walk {
    char left[PATH_MAX]; /* what is still to be gone */
    uint32_t links;
    bool visible;
};

/* Put the link's text before what is left. */
static bool follow_link(struct hd_place *p, struct walk *w, size_t parent)
{
    char text[PATH_MAX];
    if (++w->links > MOST_LINKS)
        return fail(ELOOP);
    long n = hd_syscall(SYS_readlink, AT(p->path), AT(text), PATH_MAX - 1, 0, 0, 0);
    if (n < 0)
        return false;
    size_t rest = strlen(w->left);
    if ((size_t)n + 1 + rest + 1 > PATH_MAX)
        return fail(ENAMETOOLONG);
    text[n] = '/';
    memcpy(text + n + 1, w->left, rest + 1);
    memcpy(w->left, text, (size_t)n + 1 + rest + 1);
    p->path[text[0] == '/' ? 0 : parent] = 0;
    w->visible = text[0] == '/' ? true : w->visible;
    return true;
}

/* Is the place so far a directory, or a link to be followed? */
static bool is_directory(const struct hd_place *p)
{
    if (p->entry)
        return p->entry->kind == HD_PRIVATE_DIRECTORY
                   ? true
                   : fail(p->entry->kind == HD_PRIVATE_FILE ? ENOTDIR : ENOENT);
    if (!p->real)
        return fail(ENOENT);
    return S_ISDIR(p->is.st_mode) ? true : fail(ENOTDIR);
}

/* The real directories above the path are visible unless one of them was removed. */
static bool visible_above(const char *path)
{
    const struct hd_private_files *all = &rt->private_files;
    for (uint32_t i = 0; i < all->n; i++) {
        size_t n = strlen(all->entry[i].path);
        if (all->entry[i].kind != HD_PRIVATE_FILE && strncmp(path, all->entry[i].path, n) == 0 &&
            path[n] == '/')
            return false;
    }
    return true;
}

/* One part, which is not empty.  */
static bool step(struct hd_place *p, struct walk *w, const char *part, size_t n, bool last,
                 bool follow)
{
    size_t parent = strlen(p->path);
    if (n == 1 && part[0] == '.')
        return true;
    if (n == 2 && part[0] == '.' && part[1] == '.') {
        char *slash = strrchr(p->path, '/');
        if (slash)
            *slash = 0;
        return true;
    }
    if (parent + 1 + n + 1 > HD_PRIVATE_PATH)
        return fail(ENAMETOOLONG);
    p->path[parent] = '/';
    memcpy(p->path + parent + 1, part, n);
    p->path[parent + 1 + n] = 0;
    w->visible = visible_above(p->path);
    look(p, w->visible);
    bool proc = strncmp(p->path, "/proc/", 6) == 0 && parent > 5; /* its links name no paths */
    if (p->real && S_ISLNK(p->is.st_mode) && (!last || follow) && !proc)
        return follow_link(p, w, parent);
    return last || proc || is_directory(p);
}

bool hd_place_find(struct hd_place *p, int at, const char *path, bool follow)
{
    struct walk w = { .visible = true };
    size_t n = strlen(path);
    p->entry = NULL;
    p->real = p->in_private = false;
    if (n == 0)
        return fail(ENOENT);
    if (n >= PATH_MAX)
        return fail(ENAMETOOLONG);
    memcpy(w.left, path, n + 1);
    p->path[0] = 0;
    if (path[0] != '/' && !begin(p->path, at))
        return false;
    if (strcmp(p->path, "/") == 0)
        p->path[0] = 0;
    for (;;) {
        char part[PATH_MAX];
        size_t from = strspn(w.left, "/"), length = strcspn(w.left + from, "/");
        if (length == 0)
            break;
        memcpy(part, w.left + from, length);
        bool slashes = w.left[from + length] == '/';
        bool last = w.left[from + length + strspn(w.left + from + length, "/")] == 0;
        memmove(w.left, w.left + from + length, strlen(w.left + from + length) + 1);
        if (!step(p, &w, part, length, last && !slashes, follow))
            if (!(last && errno == ENOENT)) /* mkdir("d/") */
                return false;
    }
    if (p->path[0] == 0)
        memcpy(p->path, "/", 2);
    look(p, visible_above(p->path));
    p->in_private = !visible_above(p->path);
    return true;
}
