/* Functions of string.h whose extent depends on the contents of memory.  The extent is computed
 * before the step that reads, which makes a difference only if another thread writes in between
 * without synchronisation: a data race. */
#include "runtime/memory.h"

#include <string.h>

void *memccpy(void *to, const void *from, int last, size_t n)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    size_t bytes = n ? hd_scan_bytes(from, (unsigned char)last, n, site) : 0;
    __heddle_copy(to, from, bytes, site);
    char end = 0;
    if (bytes)
        hd_view_load(rt->cur, (const char *)to + bytes - 1, &end, 1);
    bool found = bytes && end == (char)last;
    return found ? (char *)to + bytes : NULL;
}

void *rawmemchr(const void *in, int byte)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    uint64_t bytes = hd_scan_bytes(in, (unsigned char)byte, UINT64_MAX, site);
    __heddle_will_read(in, bytes, site);
    return (char *)(uintptr_t)in + bytes - 1;
}

size_t strxfrm(char *to, const char *from, size_t n)
{
    typedef size_t transform_fn(char *, const char *, size_t);
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    transform_fn *transform = (transform_fn *)(uintptr_t)hd_real("strxfrm");
    __heddle_will_read_string(from, UINT64_MAX, site);
    size_t needed = transform(NULL, from, 0);
    __heddle_will_write(to, needed < n ? needed + 1 : n, site);
    return transform(to, from, n);
}
