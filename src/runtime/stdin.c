/* Standard input that is chosen.
 *
 * It is a file: a read takes what it asks for in one step, unless the end comes before.  Every
 * byte is chosen when it is read, so that executions differ only in what the program has seen.
 * The stream `stdin` takes a byte at a time.  A native stream takes more at once; that shows
 * only when the descriptor is read as well, which is refused.
 *
 * How many choices a pending read has depends on what others have read meanwhile.  Reads
 * conflict with each other, so independent steps do not change it. */
#include "runtime/stdin.h"

#include "runtime/fd.h"
#include "runtime/fdstream.h"
#include "runtime/memory.h"
#include "runtime/notes.h"
#include "runtime/stdin_known.h"
#include "runtime/streams.h"

#include <stdio.h>
#include <string.h>

#define __HEDDLE__ 1
#include "heddle.h"

static const struct hd_stdin *given(void) { return &rt->shared->options.input; }

void hd_stdin_prepare(void)
{
    if (!hd_stdin_is_chosen())
        return;
    struct hd_fds *fds = &model->fds;
    struct hd_file *file = &fds->files[fds->n_files++];
    *file = (struct hd_file){ .kind = HD_FILE_INPUT, .refs = 1 };
    fds->fd[0].file = (uint16_t)fds->n_files;
    hd_fdstream_standard_input();
}

/* Arguments are in the runtime's own memory: the program has not begun. */
static bool is_argument(const char *text) { return strcmp(text, HD_INPUT_ARGUMENT) == 0; }

size_t hd_stdin_room(const char *argument)
{
    size_t n = strlen(argument);
    return (is_argument(argument) ? HD_MAX_INPUT_LENGTH : n) + 1;
}

static void choose_argument(char *to)
{
    hd_log_range(to, HD_MAX_INPUT_LENGTH + 1);
    memset(to, 0, HD_MAX_INPUT_LENGTH + 1);
    for (uint32_t n = 0; n < given()->most; n++) {
        int choice = heddle_choose((int)given()->n_bytes + 1);
        if (choice == 0)
            return;
        hd_log_range(to + n, 1);
        to[n] = (char)given()->bytes[choice - 1];
    }
}

void hd_stdin_arguments(int argc, char **argv)
{
    for (int i = 1; hd_stdin_is_chosen() && i < argc; i++)
        if (is_argument(argv[i]))
            choose_argument(argv[i]);
}

/* How many choices a read of so many bytes has now. */
static uint32_t ways_of(uint64_t n)
{
    const struct hd_chosen *in = &model->fds.input;
    return in->ended ? 1 : hd_stdin_ways(given(), n, given()->most - in->used);
}

void hd_stdin_recount(void)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        if (a->op != HD_OP_INPUT)
            continue;
        hd_recount(a, (uint16_t)ways_of(a->size));
    }
}

/* The step.  Returns the choice. */
static uint32_t step(uint32_t n, uint32_t site)
{
    uint32_t ways = ways_of(n), choice = 0;
    char place[300];
    if (ways == 0) {
        hd_site_text(site, place, sizeof place);
        hd_fatal("%s: a read of %u bytes of chosen input has more than %d outcomes: give fewer "
                 "bytes to --input, or a smaller --input-length",
                 place, n, HD_MAX_CHOICES);
    }
    if (ways > 1)
        hd_engine_root();
    if (ways == 1 && rt->solo_fast)
        return 0;
    if (hd_thread_now()->atomic_depth)
        hd_section_choose(ways, site);
    else
        hd_act_full(HD_OP_INPUT, &model->fds.input, NULL, n, site, ways);
    choice = rt->choice;
    hd_update_solo();
    return choice;
}

static void refuse(const char *what, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s is not modelled by this version of heddle", place, what);
}

ssize_t hd_stdin_read(void *to, size_t n, uint32_t how, uint32_t site)
{
    struct hd_chosen *in = &model->fds.input;
    char bytes[HD_MAX_INPUT_LENGTH];
    bool own = how & HD_IO_OWN;
    if (n == 0)
        return 0;
    uint32_t asked = n < HD_MAX_INPUT_LENGTH + 1 ? (uint32_t)n : HD_MAX_INPUT_LENGTH + 1;
    hd_notes_add(&rt->shared->notes, HD_NOTE_CHOSEN, site, 1);
    uint32_t got = hd_stdin_decode(given(), step(asked, site), bytes);
    if (in->by_stream && !own)
        refuse("reading descriptor 0 after the stream stdin, which may hold input in its buffer "
               "(--input),",
               site);
    if (own)
        HD_SET(in->by_stream, 1);
    HD_SET(in->used, in->used + got);
    if (got < asked)
        HD_SET(in->ended, 1);
    hd_stdin_recount();
    if (rt->mode == HD_REPLAYING)
        hd_replay_values(asked == 1 && got ? (unsigned char)bytes[0] : got, 0, HD_STEP_HAS_READ);
    if (own) {
        hd_log_range(to, got);
        memcpy(to, bytes, got);
    } else if (got) {
        __heddle_store_n(to, bytes, got, site);
    }
    return (ssize_t)got;
}

#undef getchar
#undef getchar_unlocked
#undef getc_unlocked
#define GET(name, of_stream)                                                                     \
    int name(void)                                                                               \
    {                                                                                            \
        uint32_t site = __heddle_call_site;                                                      \
        if (hd_ready && !hd_fdstream_of(stdin))                                                  \
            __heddle_opaque(site);                                                               \
        __heddle_open(stdin, site);                                                              \
        __heddle_call_site = site;                                                               \
        return of_stream(stdin);                                                                 \
    }
GET(getchar, getc)
GET(getchar_unlocked, getc_unlocked)
