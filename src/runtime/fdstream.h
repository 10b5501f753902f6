/* Streams (FILE) over descriptors of the model: what fdopen() makes of a pipe or socket.
 *
 * glibc's functions do not know these streams.  Each is a block on the program's heap, whose
 * address is the FILE *, and an entry of a table in model memory with the buffer.  A stream
 * reads or writes, not both.  Every call holds the stream's lock (stream_lock.h) and accesses
 * the block, so that calls of the functions without a lock race as they do in a native run. */
#ifndef HD_RUNTIME_FDSTREAM_H
#define HD_RUNTIME_FDSTREAM_H

#include "runtime/fd_state.h"
#include "runtime/fdstream_find.h"

#include <stddef.h>
#include <stdint.h>

enum { HD_STREAM_EOF = 0x10, HD_STREAM_ERROR = 0x20 }; /* as in glibc's block */

/* A line of at most n - 1 characters, with its NUL; n > 0. */
char *hd_fdstream_gets(char *to, int n, struct _IO_FILE *f, uint32_t site);
size_t hd_fdstream_read(char *to, size_t n, struct _IO_FILE *f, uint32_t site);
int hd_fdstream_push_back(int c, struct _IO_FILE *f, uint32_t site);
int hd_fdstream_set_buffer(struct _IO_FILE *f, int mode, const char *given, size_t size,
                           uint32_t site);
/* The flags that were set; clears some. */
uint32_t hd_fdstream_flags(struct _IO_FILE *f, uint32_t clears, uint32_t site);

/* The functions below are called with the stream's lock, unless the program's call takes none.
 * They begin with the access of the block. */
struct hd_fdstream *hd_fdstream_use(struct _IO_FILE *f, uint32_t site);
struct _IO_FILE *hd_fdstream_open(const struct hd_file *file, int fd, const char *mode,
                                  uint32_t site);
/* stdin is a stream of the model, over descriptor 0; once, at the start.  It takes a byte at a
 * time, so that no more is chosen than the program asks for. */
void hd_fdstream_standard_input(void);
/* A character, or EOF. */
int hd_fdstream_get(struct hd_fdstream *s, uint32_t site);
/* Write to the buffer, or through it.  Returns how many bytes are written or in the buffer. */
size_t hd_fdstream_put(struct hd_fdstream *s, const char *bytes, size_t n, uint32_t site);
int hd_fdstream_putc(struct hd_fdstream *s, int c, uint32_t site);
/* 0, or EOF with errno. */
int hd_fdstream_flush(struct hd_fdstream *s, uint32_t site);
int hd_fdstream_close(struct hd_fdstream *s, uint32_t site);
/* All of them: fflush(NULL), and the end of the process. */
int hd_fdstream_flush_all(uint32_t site);

#endif
