/* Files that a process of heddle writes for another one: work units and their results
 * (supervise/parts.h).
 *
 *   head     kind of file, version of the format, build of the program, digest of options and
 *            arguments, length of what follows
 *   payload  bytes of core/pack.h
 *   end      a hash of all that is before, and a signature (base/key.h), zero without a key
 *
 * All numbers have the lowest byte first.  The file is replaced atomically (struct
 * hd_new_file). What a result claims to be explored is not explored again, so it is used
 * only if this user has signed it, or with --trust. */
#ifndef HD_SUPERVISE_SEALED_H
#define HD_SUPERVISE_SEALED_H

#include "base/err.h"
#include "base/str.h"
#include "supervise/checkpoint.h"

enum hd_sealed_kind {
    HD_SEALED_UNIT,
    HD_SEALED_RESULT,
    HD_SEALED_MANIFEST, /* the result of the split itself */
    HD_N_SEALED
};

/* `what` says which program, options and arguments it is of. */
int hd_sealed_write(const char *path, enum hd_sealed_kind kind, const struct hd_checkpoint *what,
                    const struct hd_str *payload, struct hd_err *err);

/* Appends the payload.  A file that is damaged, of another kind, version, program or search, or
 * of another user is refused (the last not with what->trust). */
int hd_sealed_read(const char *path, enum hd_sealed_kind kind, const struct hd_checkpoint *what,
                   struct hd_str *payload, struct hd_err *err);

#endif
