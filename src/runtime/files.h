/* Files, as far as they are part of the world: which are open, and where in them reading goes
 * on.
 *
 * What was open at the root is open again when an execution goes back to it, with the same
 * position, whatever the execution closed or opened in its place; what was opened since is
 * closed.  Every step that touches a file is opaque, so going back to before it goes to the
 * root (world.c).  What the program writes lies in a private view (private.h), which is
 * restored, too. With --files off the contents of files are not restored: the result says so
 * if a program writes. */
#ifndef HD_RUNTIME_FILES_H
#define HD_RUNTIME_FILES_H

#include "runtime/rt.h"

/* Before other threads exist: let the table of descriptors have room for spare ones.  When a
 * process with several threads enlarges its table, the kernel waits until no processor can use
 * the old one, for 6 ms and more. */
void hd_files_make_room(int fd);
void hd_files_remember(void); /* at the root */
void hd_files_restore(void);

/* An execution, or the root, has opened the file; `exclusive`: it may only be created.  Notes
 * what backtracking does not restore.  Descriptors below 0 are ignored. */
void hd_files_opened(int fd, bool exclusive);

/* mapping.c: make all mappings of files writable, so that the log can be undone; then restore
 * the protections that they had at the root, and remove later ones. */
void hd_mappings_remember(void);
/* Under a weak memory model: are accesses of mapped files compared with calls that may touch
 * them?  That is part of the search for data races. */
bool hd_mappings_are_ordered(void);
void hd_mappings_open(void);
void hd_mappings_restore(void);

#endif
