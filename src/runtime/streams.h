/* Streams (FILE) and directories (DIR) must be open when they are used. */
#ifndef HD_RUNTIME_STREAMS_H
#define HD_RUNTIME_STREAMS_H

#include <stdint.h>

/* A violation if the stream or directory has been closed; nothing if it is none. */
void __heddle_open(const void *object, uint32_t site);

/* The stream's block has been freed. */
void hd_stream_closed(const void *stream, uint32_t site);

/* fclose() without the stream's lock. */
int hd_stream_close(void *stream, uint32_t site);

#endif
