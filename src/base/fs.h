/* Files, directories, the place heddle is installed in. */
#ifndef HD_BASE_FS_H
#define HD_BASE_FS_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

bool hd_fs_exists(const char *path);
bool hd_fs_is_directory(const char *path);
bool hd_fs_is_file(const char *path); /* a regular one */

/* Appends the whole file to `into`.  A file of more than HD_FS_MOST_BYTES is an error: it may
 * be endless (/dev/zero) or consist of holes. */
#define HD_FS_MOST_BYTES (1ull << 30)
int hd_fs_read(const char *path, struct hd_str *into, struct hd_err *err);

/* A file that appears with all its bytes or, on an error (disk full, directory not writable),
 * not at all: it is written under a new name beside its place, which must not exist before
 * (O_EXCL), and renamed.  A file that was there before stays until then.  A path that exists
 * and is no regular file (a FIFO, /dev/full) is written directly, and /dev/stdout, /dev/stderr
 * and /dev/fd/N mean the open file. */
struct hd_new_file {
    int fd;
    char *path;
    char *temp; /* NULL: written directly */
};

int hd_new_file_begin(struct hd_new_file *file, const char *path, struct hd_err *err);
/* `failed`: something could not be written (errno says why); then nothing appears. */
int hd_new_file_end(struct hd_new_file *file, bool failed, struct hd_err *err);

/* Write a whole file. */
int hd_fs_write(const char *path, const void *bytes, size_t n, struct hd_err *err);

/* A folder for one user (0700), and those above it that are missing.  -1: errno says why. */
int hd_fs_make_folder(const char *path);

/* A new directory below $TMPDIR or /tmp; *path is the caller's to free.  It is removed when
 * this process ends, if not before. */
int hd_fs_temp_dir(char **path, struct hd_err *err);
void hd_fs_remove_tree(const char *path); /* errors are ignored */

/* "a/b/c.d" -> "c.d", a pointer into path */
const char *hd_fs_base(const char *path);
/* "a/b/c.d" -> ".d", "" when there is none; a pointer into path */
const char *hd_fs_extension(const char *path);
/* "c", ".o" of "a/b/c.d": base name with another extension; the caller frees */
char *hd_fs_with_extension(const char *path, const char *extension);
/* dir "/" name, or name alone when it is absolute; the caller frees */
char *hd_fs_join(const char *dir, const char *name);
/* directory part, "." when there is none; the caller frees */
char *hd_fs_dir(const char *path);

/* The installation this process was started from: R of R/bin/heddle, which also has
 * R/lib/heddle/ and R/include/.  Static storage. */
const char *hd_fs_root(void);

/* The path of an executable: `name` itself when it has a slash, otherwise looked up in PATH.
 * NULL when there is none; the caller frees. */
char *hd_fs_which(const char *name);

#endif
