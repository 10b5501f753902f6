/* Which streams are those of pipes and sockets (fdstream.h)? */
#ifndef HD_RUNTIME_FDSTREAM_FIND_H
#define HD_RUNTIME_FDSTREAM_FIND_H

#include <stdbool.h>
#include <stdint.h>

struct _IO_FILE;

/* The entry of a stream; NULL: it is one of the library's, or closed. */
struct hd_fdstream *hd_fdstream_of(const struct _IO_FILE *f);
bool hd_fdstream_any(void);
/* An error if it is one of these streams. */
void hd_fdstream_refuse(const struct _IO_FILE *f, const char *call, uint32_t site);

#endif
