/* The private view of the file system: what the program writes to files stays in the worker
 * and is put back between executions (docs/design/022-files.md).
 *
 * A file that is opened for writing becomes a file in memory (memfd), a copy of the real one,
 * and an entry of a table says that its path means that.  Paths without an entry mean the real
 * files, which are only read.
 *
 * Invariants:
 *   1. No call on a path writes to a real file, but for character devices that keep nothing
 *      (/dev/null, /dev/zero, /dev/full).  The filter of system calls (core/sandbox.h)
 *      refuses what would, if other code than hd_syscall() asks for it.
 *   2. Paths in the table are absolute and have no symbolic links, dots or double slashes.
 *   3. An entry that stands for a missing file also hides everything that is really below it.
 *   4. Every change of the table is part of an opaque step, so that the root's table is
 *      put back before anything else runs (world.c). */
#ifndef HD_RUNTIME_PRIVATE_H
#define HD_RUNTIME_PRIVATE_H

#include "runtime/private_state.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A path that has been looked up. */
struct hd_place {
    char path[HD_PRIVATE_PATH]; /* absolute, without symbolic links but for the last part */
    struct hd_private *entry;   /* NULL: the real file system counts */
    bool real;                  /* something is really there and visible; then: */
    struct stat is;
    bool in_private; /* what it lies in was made by the program */
};

/* Does the program have a private view?  Not in a plain run, nor with --files off. */
bool hd_private_on(void);

/* private_path.c: look a path up from the directory `at`.  False with errno: it cannot name
 * anything. A last part that is missing is no failure; neither is a symbolic link there unless
 * `follow`. */
bool hd_place_find(struct hd_place *p, int at, const char *path, bool follow);
struct hd_private *hd_private_find(const char *path);
/* Does the program have files or directories of its own, or removed ones, directly in that
 * one? */
bool hd_private_below(const char *path);
/* Is there something in the directory, which the program has made? */
bool hd_private_holds(const char *path);
/* Is anything there, in the program's view? */
bool hd_place_exists(const struct hd_place *p);

/* private.c: another entry, or the one that the path has. */
struct hd_private *hd_private_enter(const char *path, enum hd_private_kind kind);
/* A descriptor of a new file in memory; -1 with errno. */
int hd_private_file(uint32_t mode);
/* Move the descriptor above those that the program gets, if the limit permits. */
int hd_private_aside(int fd);
/* The mode of something new. */
uint32_t hd_private_mode(uint32_t mode);
/* A path that leads to the file of the descriptor. */
void hd_private_link(int fd, char link[HD_PRIVATE_LINK]);
/* Open the file of the descriptor anew, with a position of its own. */
int hd_private_reopen(int fd, int flags);
/* Make sure that the place is a file in memory: a copy of the real one unless `empty`.  False
 * with errno. */
bool hd_private_take(struct hd_place *p, bool empty, uint32_t mode);
int hd_private_open(int at, const char *path, int flags, uint32_t mode, const char *call);
/* Does the descriptor belong to a file in memory? */
bool hd_private_is(int fd);
/* One line, and the end: the call is not done for this path. */
_Noreturn void hd_private_refuse(const char *call, const char *path, const char *why);

/* private_root.c */
void hd_private_remember(void);
/* Before the log is undone, which leads into mappings: no file is shorter than at the root. */
void hd_private_lengthen(void);
void hd_private_restore(void);

/* May something be made or removed in the directory that the place lies in? */
bool hd_private_may_change(const struct hd_place *p);

#endif
