/* Streams and directories that have been closed.  Each is a block that the C library has
 * allocated, on heddle's heap like all others.  After fclose() or closedir() its header says
 * that it was freed, but the library's functions run natively and do not check. */
#include "runtime/streams.h"

#include "runtime/block.h"
#include "runtime/memory.h"

#include <dirent.h>
#include <stdio.h>

static struct hd_block *block_of(const void *object)
{
    uint64_t at = (uint64_t)(uintptr_t)object;
    struct hd_block *b = hd_ready && hd_in_heap(at) ? hd_block_at(at) : NULL;
    return b && b->at == at ? b : NULL;
}

void __heddle_open(const void *object, uint32_t site)
{
    const struct hd_block *b = block_of(object);
    if (HD_LIKELY(!b || b->state != HD_BLOCK_FREED))
        return;
    bool directory = b->family == HD_FAMILY_DIRECTORY;
    hd_violation_block(b, site, "use of a %s after %s", directory ? "directory" : "stream",
                       directory ? "closedir" : "fclose");
}

/* The library frees the object inside the call: note the call as the place to report. */
static void closed(const void *object, enum hd_family family, uint32_t site)
{
    struct hd_block *b = block_of(object);
    if (!b || b->state != HD_BLOCK_FREED)
        return;
    hd_log_known(b, sizeof *b);
    b->freed_at = site;
    b->family = family;
}

int fclose(FILE *f)
{
    uint32_t site = __heddle_call_site;
    __heddle_open(f, site);
    int failed = ((int (*)(FILE *))(uintptr_t)hd_real("fclose"))(f);
    closed(f, HD_FAMILY_STREAM, site);
    return failed;
}

int closedir(DIR *directory)
{
    uint32_t site = __heddle_call_site;
    __heddle_open(directory, site);
    int failed = ((int (*)(DIR *))(uintptr_t)hd_real("closedir"))(directory);
    closed(directory, HD_FAMILY_DIRECTORY, site);
    return failed;
}
