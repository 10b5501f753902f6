/* --leaks: blocks that the program can no longer free when it ends.
 *
 * The search is conservative: a word that looks like the address of a byte of a block counts as
 * a pointer to it, wherever it is (data of the program and of its libraries, thread-local
 * memory, stacks of threads that have not ended, other blocks that are reached).  So every
 * reported block is lost, but not every lost block is reported.  Blocks that libraries
 * allocated before any call of the program belong to them. */
#include "runtime/heap.h"

#include <link.h>
#include <stdio.h>

/* Blocks are marked in their states while no code of the program runs. */
enum { MARKED = HD_BLOCK_FREED + 1 };

static void mark_words(uint64_t begin, uint64_t end);

/* No recursion, which would need a stack as deep as the longest chain of pointers: marked
 * blocks wait in a list, linked by `link`, which live blocks do not use. */
static struct hd_block *waiting;

static void mark(uint64_t pointer)
{
    struct hd_block *b = hd_block_at(pointer);
    if (!b || b->state != HD_BLOCK_LIVE || pointer < b->at || pointer > b->at + b->size)
        return;
    b->state = MARKED;
    b->link = (uint64_t)(uintptr_t)waiting;
    waiting = b;
}

static void mark_words(uint64_t begin, uint64_t end)
{
    for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= end; at += 8)
        if (hd_in_heap(*(const uint64_t *)at))
            mark(*(const uint64_t *)at);
}

static int mark_segments(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uint64_t begin = info->dlpi_addr + p->p_vaddr;
        if (p->p_type == PT_LOAD && p->p_flags & PF_W)
            mark_words(begin, begin + p->p_memsz);
    }
    return 0;
}

static void mark_reachable(void)
{
    waiting = NULL;
    dl_iterate_phdr(mark_segments, NULL);
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        if (!hd_tset_has(&model->joined, t)) /* its result can still be read */
            mark(model->threads[t].result);
        if (!hd_tset_has(&rt->config.live, t))
            continue;
        if (f->fs_base)
            mark_words(f->fs_base + (uint64_t)rt->tls_begin, f->fs_base + (uint64_t)rt->tls_end);
        mark_words(t == rt->cur ? (uint64_t)(uintptr_t)__builtin_frame_address(0) : f->sp,
                   f->top);
        mark_words((uint64_t)(uintptr_t)model->values[t],
                   (uint64_t)(uintptr_t)&model->values[t][model->n_keys]);
    }
    mark_words((uint64_t)(uintptr_t)model->exit_handlers,
               (uint64_t)(uintptr_t)&model->exit_handlers[model->n_exit_handlers]);
    while (waiting) {
        struct hd_block *b = waiting;
        waiting = (struct hd_block *)b->link;
        mark_words(b->at, b->at + b->size);
    }
}

struct tally {
    uint64_t blocks, bytes;
    struct hd_finding finding;
};

/* Restores the states; reports the blocks that were not marked. */
static void collect(struct tally *tally)
{
    struct hd_finding *f = &tally->finding;
    for (uint32_t t = 0; t < rt->config.n_threads; t++)
        for (uint32_t class = 0; class < HD_HEAP_CLASSES; class ++)
            for (uint64_t i = 0; i < model->heaps[t].n_slots[class]; i++) {
                struct hd_block *b = (struct hd_block *)(hd_region(t, class) +
                                                         i * hd_slot_bytes(class));
                if (b->state == HD_BLOCK_LIVE && b->site && b->family != HD_FAMILY_MAPPED) {
                    tally->blocks++;
                    tally->bytes += b->size;
                    if (f->n_origins < HD_MAX_ORIGINS)
                        f->origins[f->n_origins++] = (struct hd_origin){ HD_ORIGIN_MADE,
                                                                         b->thread, b->site, 0 };
                }
                if (b->state == MARKED) {
                    b->state = HD_BLOCK_LIVE;
                    b->link = 0;
                }
            }
}

void hd_heap_leaks(uint32_t site)
{
    struct tally tally = { .finding = { .kind = HD_KIND_MEMORY } };
    mark_reachable();
    collect(&tally);
    if (tally.blocks == 0)
        return;
    struct hd_finding *f = &tally.finding;
    f->site = f->origins[0].site ? f->origins[0].site : site;
    snprintf(f->message, sizeof f->message,
             "leak: %llu block%s with %llu bytes %s not freed, and nothing points to %s any more",
             (unsigned long long)tally.blocks, tally.blocks == 1 ? "" : "s",
             (unsigned long long)tally.bytes, tally.blocks == 1 ? "was" : "were",
             tally.blocks == 1 ? "it" : "them");
    hd_violation_raise(f);
}
