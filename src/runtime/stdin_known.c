#include "runtime/stdin_known.h"

#include "runtime/rt.h"

#include <string.h>

bool hd_stdin_is_chosen(void)
{
    return hd_ready && rt->mode != HD_PLAIN && rt->shared && rt->shared->options.input.n_bytes;
}

static bool is_input(int fd)
{
    const struct hd_fds *fds = &model->fds;
    bool ours = hd_stdin_is_chosen() && fd >= 0 && fd < HD_MAX_FDS && fds->fd[fd].file;
    return ours && fds->files[fds->fd[fd].file - 1].kind == HD_FILE_INPUT;
}

bool hd_stdin_known(int fd, uint32_t site)
{
    static const char *const modelled[] = {
        "read",        "__read_chk",     "readv",         "getchar",        "getchar_unlocked",
        "getc",        "fgetc",          "getc_unlocked", "fgetc_unlocked", "__uflow",
        "fgets",       "fgets_unlocked", "fread",         "__fread_chk",    "fread_unlocked",
        "getline",     "getdelim",       "__getdelim",    "feof",           "feof_unlocked",
        "__fgets_chk", "_IO_getc",
    };
    char place[300];
    if (!is_input(fd))
        return false;
    const char *call = hd_site_variable(site);
    for (unsigned i = 0; i < sizeof modelled / sizeof *modelled; i++)
        if (strcmp(call, modelled[i]) == 0)
            return true;
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: %s() of standard input that is chosen (--input) is not modelled by this version "
        "of heddle",
        place, *call ? call : "a library's function");
}
