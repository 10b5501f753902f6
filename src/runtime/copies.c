/* Functions of string.h whose extent only the memory's contents tell.  It is looked for before the
 * step that reads: that makes a difference only where another thread writes in between without
 * synchronisation, which is a data race. */
#include "runtime/memory.h"

#include <string.h>

void *memccpy(void *to, const void *from, int last, size_t n)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    const char *found = memchr(from, last, n);
    size_t bytes = found ? (size_t)(found - (const char *)from) + 1 : n;
    __heddle_copy(to, from, bytes, site);
    return found ? (char *)to + bytes : NULL;
}

void *rawmemchr(const void *in, int byte)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    char *found = memchr(in, byte, SIZE_MAX / 2);
    __heddle_will_read(in, (size_t)(found - (const char *)in) + 1, site);
    return found;
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
