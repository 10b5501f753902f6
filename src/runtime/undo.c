/* Ranges in the undo log; undo.h says what they are. */
#include "runtime/undo.h"

#include "runtime/memory.h"

#include <string.h>

#define CHUNK_WORDS 4096u /* the grain at which ranges of zeros are found */

static _Noreturn void too_large(void)
{
    hd_fatal("an execution is too large to be undone (more than 8 GiB written): "
             "bound it with --depth");
}

static bool is_zero(const uint64_t *at, uint64_t words)
{
    typedef long long piece __attribute__((vector_size(16), may_alias, aligned(8)));
    const piece *p = (const piece *)at;
    piece any = { 0, 0 };
    uint64_t pairs = words / 2;
    for (uint64_t i = 0; i < pairs; i++)
        any |= p[i];
    return !(any[0] | any[1]) && (words % 2 == 0 || at[words - 1] == 0);
}

static void add_image(uint64_t *at, uint64_t words, bool zeros)
{
    struct hd_image *image = (struct hd_image *)rt->image_top;
    if (words > (rt->image_end - rt->image_top) / 8 - 8)
        too_large();
    *image = (struct hd_image){ .entry = rt->log_top,
                                .previous = rt->newest_image,
                                .at = at,
                                .words = words,
                                .zeros = zeros };
    if (!zeros)
        memcpy(image->old, at, words * 8);
    rt->image_top = (uint64_t)(uintptr_t)(image->old + words);
    rt->newest_image = image;
    rt->log_top->at = (uint64_t *)((uintptr_t)at | 1);
    rt->log_top->old = (uint64_t)(uintptr_t)image;
    rt->log_top++;
}

/* One image for every run of chunks that hold zeros, and for every other run. */
static void log_images(uint64_t *at, uint64_t words)
{
    if (words < CHUNK_WORDS) {
        add_image(at, words, false);
        return;
    }
    uint64_t begin = 0, end = 0;
    bool zeros = false;
    while (end < words) {
        uint64_t chunk = words - end < CHUNK_WORDS ? words - end : CHUNK_WORDS;
        bool zero = is_zero(at + end, chunk);
        if (end > begin && zero != zeros) {
            add_image(at + begin, end - begin, zeros);
            begin = end;
        }
        zeros = zero;
        end += chunk;
    }
    add_image(at + begin, end - begin, zeros);
}

void hd_log_known(const void *at, uint64_t bytes)
{
    if (!rt->rooted)
        return;
    uint64_t *word = (uint64_t *)((uintptr_t)at & ~7ull);
    uint64_t words = ((uintptr_t)at + bytes - (uintptr_t)word + 7) / 8;
    if (bytes >= HD_RANGE_BYTES) {
        log_images(word, words);
    } else {
        struct hd_undo *e = rt->log_top;
        for (uint64_t i = 0; i < words; i++, e++) {
            e->at = word + i;
            e->old = word[i];
        }
        rt->log_top = e;
    }
    if (HD_UNLIKELY(rt->log_top > rt->log_end))
        too_large();
}

void hd_log_range(const void *at, uint64_t bytes)
{
    uint64_t address = (uint64_t)(uintptr_t)at;
    if (address - HD_OWN_BEGIN >= HD_OWN_END - HD_OWN_BEGIN)
        hd_check_range(at, bytes, HD_OP_WRITE, hd_site_now());
    hd_log_known(at, bytes);
}

static void put_back(const struct hd_image *image)
{
    if (image->zeros)
        memset(image->at, 0, image->words * 8);
    else
        memcpy(image->at, image->old, image->words * 8);
}

struct hd_undo *hd_undo_ranges(struct hd_undo *top, const struct hd_undo *end)
{
    while (top > end) {
        top--;
        if (!hd_undo_is_range(top)) {
            *top->at = top->old;
            continue;
        }
        struct hd_image *image = hd_undo_image(top);
        put_back(image);
        rt->newest_image = image->previous;
        rt->image_top = (uint64_t)(uintptr_t)image;
    }
    return top;
}

void hd_undo_swap(struct hd_undo *e)
{
    if (!hd_undo_is_range(e)) {
        uint64_t now = *e->at;
        *e->at = e->old;
        e->old = now;
        return;
    }
    struct hd_image *image = hd_undo_image(e);
    for (uint64_t i = 0; i < image->words; i++) {
        uint64_t now = image->at[i];
        image->at[i] = image->zeros ? 0 : image->old[i];
        image->old[i] = now;
    }
    image->zeros = 0;
}
