#include "runtime/fdstream_find.h"

#include "runtime/rt.h"

#include <stdio.h>

static struct hd_fds *fds(void) { return &model->fds; }

struct hd_fdstream *hd_fdstream_of(const struct _IO_FILE *f)
{
    uint64_t addr = (uint64_t)(uintptr_t)f;
    for (uint32_t i = 0; hd_ready && f && i < fds()->n_streams; i++)
        if (fds()->streams[i].addr == addr)
            return &fds()->streams[i];
    return NULL;
}

bool hd_fdstream_any(void)
{
    for (uint32_t i = 0; hd_ready && i < fds()->n_streams; i++)
        if (fds()->streams[i].addr)
            return true;
    return false;
}

void hd_fdstream_refuse(const struct _IO_FILE *f, const char *call, uint32_t site)
{
    char place[300];
    if (!hd_fdstream_of(f))
        return;
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s() of %s is not modelled by this version of heddle", place, call,
             f == stdin ? "standard input that is chosen (--input)"
                        : "a stream over a pipe or socket");
}
