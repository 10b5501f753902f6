/* Files whose lines reports quote.
 *
 * The program names these files in its debug information, and a `#line` may name any file.  A
 * report may be shown to others, so only files that look like a program's source are quoted: a
 * regular file with such a name once links are followed, or one in a folder of the system's
 * headers. */
#ifndef HD_REPORT_QUOTED_H
#define HD_REPORT_QUOTED_H

#include "base/str.h"

#include <stdbool.h>

/* Append the text of the file, without terminal escapes.  A relative path is looked for in the
 * current directory, then in `directory` ("": none) and the folders above it.  False if it must
 * not be quoted, or cannot be read. */
bool hd_quoted_read(const char *path, const char *directory, struct hd_str *text);

#endif
