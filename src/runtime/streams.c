/* Streams and directories that have been closed.  Each is a block that the C library has
 * allocated, on heddle's heap like all others.  After fclose() or closedir() its header says
 * that it was freed, but the library's functions run natively and do not check.  The standard
 * streams are variables of the library: the model notes which of them are closed. */
#include "runtime/streams.h"

#include "runtime/block.h"
#include "runtime/fd.h"
#include "runtime/memory.h"

#include <dirent.h>
#include <stdio.h>

static struct hd_block *block_of(const void *object)
{
    uint64_t at = (uint64_t)(uintptr_t)object;
    struct hd_block *b = hd_ready && hd_in_heap(at) ? hd_block_at(at) : NULL;
    return b && b->at == at ? b : NULL;
}

static const char *const standard[] = { "stdin", "stdout", "stderr" };

/* Where the model notes that the standard stream is closed; NULL: it is another one. */
static uint64_t *closing_of(const void *object, const char **name)
{
    const void *const all[] = { stdin, stdout, stderr };
    for (unsigned i = 0; hd_ready && rt->mode != HD_PLAIN && i < 3; i++)
        if (all[i] == object) {
            *name = standard[i];
            return &model->closed[i];
        }
    return NULL;
}

static void check_standard(const void *object, uint32_t site)
{
    char place[300];
    const char *name;
    const uint64_t *closing = closing_of(object, &name);
    if (HD_LIKELY(!closing || !*closing))
        return;
    hd_site_text((uint32_t)*closing - 1, place, sizeof place);
    hd_violation(HD_KIND_MEMORY, site, "use of %s after fclose at %s", name, place);
}

void __heddle_open(const void *object, uint32_t site)
{
    const struct hd_block *b = block_of(object);
    check_standard(object, site);
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
    b->family = (uint16_t)family;
}

void hd_stream_closed(const void *stream, uint32_t site)
{
    const char *name;
    uint64_t *closing = closing_of(stream, &name);
    closed(stream, HD_FAMILY_STREAM, site);
    if (closing)
        HD_SET(*closing, (uint64_t)site + 1);
}

int hd_stream_close(void *stream, uint32_t site)
{
    FILE *f = stream;
    __heddle_open(f, site);
    int fd = fileno(f);
    bool was = hd_is_output(fd);
    int failed = ((int (*)(FILE *))(uintptr_t)hd_real("fclose"))(f);
    hd_stream_closed(f, site);
    if (fd >= 0)
        hd_fd_freed_outside(site);
    hd_output_look(fd, was, site);
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
