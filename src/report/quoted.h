/* Files whose lines reports quote.
 *
 * The program says which these are, by its debug information, and a `#line` may name any file
 * there is.  A report may be shown to others, so only what looks like a program's source is
 * quoted: a regular file with such a name once links are followed, or one in a folder of the
 * system's headers. */
#ifndef HD_REPORT_QUOTED_H
#define HD_REPORT_QUOTED_H

#include "base/str.h"

#include <stdbool.h>

/* Appends the text of the file, without what a terminal would obey.  False: it is not to be
 * quoted, or cannot be read. */
bool hd_quoted_read(const char *path, struct hd_str *text);

#endif
