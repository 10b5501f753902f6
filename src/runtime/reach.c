/* Heap reachability (Dwyer, Hatcliff, Robby, Ranganath, FMSD 2004): can another thread reach
 * these bytes through pointers?
 *
 * From all variables, the stacks and thread-local blocks of the other threads, and what they
 * were started with and have left behind, every word that points into a block of the heap leads
 * on to the words of that block; one that points into the thread's own stack, to all of that
 * stack.  Pointers in disguise are not seen. */
#include "runtime/heap.h"
#include "runtime/state.h"

#include <sys/mman.h>

#define TABLE (1u << 14)
#define MOST_BLOCKS (TABLE / 2)

struct hd_reach {           /* tool memory */
    uint64_t blocks[TABLE]; /* hash set */
    uint32_t used[MOST_BLOCKS];
    uint64_t work[MOST_BLOCKS];
    uint32_t n, n_work;
    uint32_t thread;
    bool own_stack, too_many;
};

/* Tool memory, because the program's data is searched. */
static struct hd_reach *memory(void)
{
    if (!rt->reach) {
        void *at = mmap(NULL, sizeof(struct hd_reach), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED)
            hd_fatal("not enough memory to follow the program's pointers");
        rt->reach = at;
    }
    return rt->reach;
}

static bool on_own_stack(const struct hd_reach *r, uint64_t addr)
{
    const struct hd_fiber *f = &rt->fibers[r->thread];
    return addr < f->top && addr >= f->sp;
}

static void mark(struct hd_reach *r, uint64_t word)
{
    if (on_own_stack(r, word))
        r->own_stack = true;
    const struct hd_block *b = hd_in_heap(word) ? hd_block_at(word) : NULL;
    if (!b)
        return;
    uint64_t key = (uint64_t)(uintptr_t)b;
    uint32_t i = (uint32_t)(key * 0x9e3779b97f4a7c15ull >> 40) % TABLE;
    while (r->blocks[i] && r->blocks[i] != key)
        i = (i + 1) % TABLE;
    if (r->blocks[i])
        return;
    if (r->n == MOST_BLOCKS) {
        r->too_many = true;
        return;
    }
    r->blocks[i] = key;
    r->used[r->n++] = i;
    r->work[r->n_work++] = key;
}

static void scan(struct hd_reach *r, uint64_t begin, uint64_t end)
{
    for (uint64_t at = (begin + 7) & ~7ull; at + 8 <= end; at += 8)
        mark(r, *(const uint64_t *)at);
}

static void scan_roots(struct hd_reach *r)
{
    for (uint32_t i = 0; i < rt->n_ranges; i++) {
        uint64_t begin = (uint64_t)(uintptr_t)rt->ranges[i].begin;
        if (!hd_in_heap(begin))
            scan(r, begin, begin + rt->ranges[i].bytes);
    }
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        const struct hd_fiber *f = &rt->fibers[t];
        mark(r, (uint64_t)(uintptr_t)model->threads[t].result);
        if (t == r->thread)
            continue;
        mark(r, (uint64_t)(uintptr_t)model->threads[t].arg);
        if (!hd_tset_has(&rt->config.live, t))
            continue;
        scan(r, f->sp, f->top);
        if (f->fs_base)
            scan(r, f->fs_base + (uint64_t)rt->tls_begin, f->fs_base + (uint64_t)rt->tls_end);
        scan(r, (uint64_t)(uintptr_t)model->values[t],
             (uint64_t)(uintptr_t)(model->values[t] + model->n_keys));
    }
}

static void scan_found(struct hd_reach *r)
{
    for (bool stack_done = false;;) {
        while (r->n_work) {
            const struct hd_block *b = (const struct hd_block *)(uintptr_t)r->work[--r->n_work];
            if (b->state != HD_BLOCK_NONE)
                scan(r, b->at, b->at + b->size);
        }
        if (!r->own_stack || stack_done)
            return;
        stack_done = true;
        scan(r, rt->fibers[r->thread].sp, rt->fibers[r->thread].top);
    }
}

bool hd_reach_others(void *self, uint32_t thread, uint64_t addr)
{
    (void)self;
    struct hd_reach *r = memory();
    bool heap = hd_in_heap(addr);
    r->thread = thread;
    if (!heap && !on_own_stack(r, addr))
        return true;
    r->own_stack = r->too_many = false;
    r->n = r->n_work = 0;
    scan_roots(r);
    scan_found(r);
    bool found = r->too_many || (!heap && r->own_stack);
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t *slot = &r->blocks[r->used[i]];
        found = found || (heap && *slot == (uint64_t)(uintptr_t)hd_block_at(addr));
        *slot = 0;
    }
    return found;
}
