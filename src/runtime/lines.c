/* getline and getdelim: the line is stored in memory of the program, which grows.  Streams are
 * outside the model. */
#include "runtime/fdstream.h"
#include "runtime/memory.h"
#include "runtime/stream_lock.h"
#include "runtime/streams.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 120 }; /* as glibc has it */

/* Read up to the delimiter into the thread's own memory.  Returns the length. */
static size_t take_line(FILE *f, int delimiter, char *into, size_t most, uint32_t site)
{
    int (*get)(FILE *) = (int (*)(FILE *))(uintptr_t)hd_real("fgetc");
    struct hd_fdstream *s = hd_fdstream_of(f) ? hd_fdstream_use(f, site) : NULL;
    size_t n = 0;
    for (int c = 0; c != delimiter || n == 0;) {
        c = s ? hd_fdstream_get(s, site) : get(f);
        if (c == EOF)
            break;
        if (n == most)
            hd_fatal("a line of more than %zu bytes is read", most);
        hd_log_range(into + n, 1);
        into[n++] = (char)c;
    }
    return n;
}

ssize_t getdelim(char **line, size_t *room, int delimiter, FILE *f)
{
    uint32_t site = hd_take_site();
    char *text, nul = 0, *taken = hd_bounce();
    size_t has;
    if (!line || !room) {
        errno = EINVAL;
        return -1;
    }
    __heddle_used(line, sizeof text, site);
    __heddle_load_n(line, &text, sizeof text, site);
    if (text) /* otherwise it is not read */
        __heddle_used(room, sizeof has, site);
    __heddle_load_n(room, &has, sizeof has, site);
    has = text ? has : 0;
    bool modelled = hd_fdstream_of(f);
    if (!modelled)
        __heddle_opaque(site);
    __heddle_open(f, site);
    if (modelled)
        hd_stream_enter(f, site);
    size_t n = take_line(f, delimiter, taken, (size_t)HD_CHANNEL_BYTES, site);
    if (modelled)
        hd_stream_leave(f, site);
    if (n == 0)
        return -1;
    if (!text || has < n + 1) {
        size_t more = 2 * has > n + 1 ? 2 * has : n + 1;
        has = more > FIRST_ROOM ? more : FIRST_ROOM;
        char *grown = realloc(text, has);
        if (!grown)
            return -1;
        text = grown;
        __heddle_store_n(line, &text, sizeof text, site);
        __heddle_store_n(room, &has, sizeof has, site);
    }
    __heddle_store_n(text, taken, n, site);
    __heddle_store_n(text + n, &nul, 1, site);
    return (ssize_t)n;
}

ssize_t getline(char **line, size_t *room, FILE *f) { return getdelim(line, room, '\n', f); }
