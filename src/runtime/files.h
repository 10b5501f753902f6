/* Files, as far as they are part of the world: which are open, and where in them reading goes
 * on.
 *
 * What was open at the root is open again when an execution goes back to it, with the same
 * position, whatever the execution closed or opened in its place; what was opened since is
 * closed.  Every step that touches a file is opaque, so there is no other way back to before
 * one (world.c).  What a file holds is not brought back: the result names a program that reads
 * what it wrote. */
#ifndef HD_RUNTIME_FILES_H
#define HD_RUNTIME_FILES_H

#include "runtime/rt.h"

void hd_files_remember(void); /* at the root */
void hd_files_restore(void);

/* An execution has the file open, or the root has; `exclusive`: it may only be made if it is
 * not there.  Names in the result what going back does not bring back.  Descriptors below 0 are
 * none. */
void hd_files_opened(int fd, bool exclusive);

/* mapping.c: protections of mapped files are those of the root; what has been mapped since is
 * not there. */
void hd_mappings_remember(void);
void hd_mappings_restore(void);

#endif
