/* The heap: one arena per thread, so that an address depends on the allocating thread's own history
 * alone and allocations of different threads commute.
 *
 * A block is a header and its bytes, 16-byte aligned.  Freed blocks go to a list of the thread that
 * *frees* (its own history again) and are used again only when that thread's arena has grown past
 * HD_HEAP_FRESH: short executions, the common case, never reuse an address.
 *
 * Fresh bytes are filled with a pattern: what a program reads from uninitialised memory must not
 * depend on the executions before. */
#include "runtime/fault.h"
#include "runtime/memory.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HD_HEAP_FRESH (1ull << 20)
#define FILL_MOST 4096
#define LIVE 0x6c697665u
#define FREED 0x66726565u

struct hd_block {
    uint64_t size;  /* as asked for */
    uint64_t room;  /* bytes behind the header */
    uint64_t link;  /* freed: next in the list; aligned blocks: distance from the true start */
    uint32_t index; /* how manieth block of its thread */
    uint32_t state;
    uint32_t thread;
    uint32_t site;
    uint64_t pad;
};

static uint64_t arena_begin(uint32_t thread) { return HD_HEAP_BASE + thread * HD_HEAP_STRIDE; }

static void map_arena(uint32_t thread, struct hd_arena_heap *heap)
{
    uint64_t begin = arena_begin(thread);
    if (!rt->arena_mapped[thread]) {
        void *p = mmap((void *)begin, HD_HEAP_STRIDE - 4096, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
        if (p != (void *)begin)
            hd_fatal("cannot reserve the heap of thread %u", thread);
        rt->arena_mapped[thread] = 1;
    }
    HD_SET(heap->bump, begin);
    HD_SET(heap->limit, begin + HD_HEAP_STRIDE - 4096);
}

static uint32_t class_of(uint64_t room)
{
    return room <= 16 ? 0 : (uint32_t)(60 - __builtin_clzll(room - 1));
}

/* Room is a power of two from 16 up, so that a list holds blocks of one size. */
static uint64_t room_for(uint64_t size)
{
    return size <= 16            ? 16
           : size > (1ull << 16) ? (size + 4095) & ~4095ull
                                 : 1ull << (64 - __builtin_clzll(size - 1));
}

static struct hd_block *reuse(struct hd_arena_heap *heap, uint64_t room)
{
    uint32_t class = class_of(room);
    if (heap->bump - arena_begin(rt->cur) < HD_HEAP_FRESH || class >= 40 || !heap->free[class])
        return NULL;
    struct hd_block *b = (struct hd_block *)heap->free[class];
    if (b->room < room)
        return NULL;
    HD_SET(heap->free[class], b->link);
    hd_log_range(b, sizeof *b);
    return b;
}

static void *take(uint64_t size)
{
    hd_rt_prepare();
    uint32_t site = hd_take_site();
    struct hd_arena_heap *heap = &model->heaps[rt->cur];
    if (HD_UNLIKELY(!heap->bump))
        map_arena(rt->cur, heap);
    if (size > HD_HEAP_STRIDE / 2) {
        errno = ENOMEM;
        return NULL;
    }
    uint64_t room = room_for(size);
    struct hd_block *b = reuse(heap, room);
    if (!b) {
        if (heap->bump + room + sizeof *b > heap->limit) {
            errno = ENOMEM;
            return NULL;
        }
        b = (struct hd_block *)heap->bump;
        HD_SET(heap->bump, heap->bump + room + sizeof *b);
        b->room = room;
    }
    HD_SET(heap->n_blocks, heap->n_blocks + 1);
    b->size = size;
    b->link = 0;
    b->index = (uint32_t)heap->n_blocks;
    b->state = LIVE;
    b->thread = rt->cur;
    b->site = site;
    return b + 1;
}

static bool in_heap(const void *p)
{
    uint64_t a = (uint64_t)(uintptr_t)p;
    return a >= HD_HEAP_BASE && a < HD_HEAP_BASE + HD_MAX_THREADS * HD_HEAP_STRIDE;
}

static struct hd_block *block_of(void *p, const char *call)
{
    uint32_t site = hd_take_site();
    struct hd_block *b = (struct hd_block *)p - 1;
    if (!in_heap(p) || ((uintptr_t)p & 15))
        hd_violation(HD_KIND_MEMORY, site, "%s of %p, which is not a heap block", call, p);
    if (b->state == FREED)
        hd_violation(HD_KIND_MEMORY, site, "%s of a block that has been freed", call);
    if (b->state != LIVE)
        hd_violation(HD_KIND_MEMORY, site, "%s of %p, which is not the start of a heap block",
                     call, p);
    return b;
}

/* Is the allocation to fail (--faults)?  Only calls of the program itself do: code of a library may
 * hold a lock while it allocates. */
static bool fails(const void *caller)
{
    extern const char __executable_start[], _etext[];
    if (HD_LIKELY(!hd_fault_wanted(HD_FAULT_MALLOC)))
        return false;
    if ((const char *)caller < __executable_start || (const char *)caller >= _etext)
        return false;
    uint32_t site = __heddle_call_site;
    if (!hd_fault(HD_FAULT_MALLOC, site)) {
        __heddle_call_site = site; /* others may have run */
        return false;
    }
    hd_take_site();
    errno = ENOMEM;
    return true;
}

#define FAILS() HD_UNLIKELY(fails(__builtin_return_address(0)))

static void *allocate(size_t size)
{
    void *p = take(size);
    if (p)
        memset(p, 0xa5, size < FILL_MOST ? size : FILL_MOST);
    return p;
}

void *malloc(size_t size) { return FAILS() ? NULL : allocate(size); }

void free(void *p)
{
    if (!p)
        return;
    struct hd_block *b = block_of(p, "free");
    hd_log_range(b, sizeof *b);
    b->state = FREED;
    struct hd_arena_heap *heap = &model->heaps[rt->cur];
    uint32_t class = class_of(b->room);
    if (class < 40 && b->thread != ~0u) {
        b->link = heap->free[class];
        HD_SET(heap->free[class], (uint64_t)(uintptr_t)b);
    }
}

void *calloc(size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = FAILS() ? NULL : take(bytes);
    if (p)
        memset(p, 0, bytes);
    return p;
}

static void *reallocate(void *p, size_t size)
{
    if (!p)
        return allocate(size);
    struct hd_block *b = block_of(p, "realloc");
    void *q = allocate(size);
    if (!q)
        return NULL;
    memcpy(q, p, b->size < size ? b->size : size);
    free(p);
    return q;
}

void *realloc(void *p, size_t size) { return FAILS() ? NULL : reallocate(p, size); }

void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return FAILS() ? NULL : reallocate(p, bytes);
}

/* An aligned block is cut out of a larger one; the header in front of it is its own. */
static void *take_aligned(size_t alignment, size_t size)
{
    if (alignment <= 16)
        return allocate(size);
    size_t bytes;
    if (__builtin_add_overflow(size, alignment + sizeof(struct hd_block), &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    char *p = take(bytes);
    if (!p)
        return NULL;
    struct hd_block *outer = (struct hd_block *)p - 1;
    uint64_t at = ((uint64_t)(uintptr_t)p + sizeof *outer + alignment - 1) & ~(alignment - 1);
    struct hd_block *b = (struct hd_block *)at - 1;
    *b = *outer;
    b->size = size;
    b->thread = ~0u; /* not to be put in a list by itself */
    b->room = size;
    memset((void *)at, 0xa5, size < FILL_MOST ? size : FILL_MOST);
    return (void *)at;
}

void *memalign(size_t alignment, size_t size)
{
    return FAILS() ? NULL : take_aligned(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS() ? NULL : take_aligned(alignment, size);
}

void *valloc(size_t size) { return FAILS() ? NULL : take_aligned(4096, size); }

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
        return EINVAL;
    void *p = FAILS() ? NULL : take_aligned(alignment, size);
    if (!p)
        return ENOMEM;
    hd_log_range(out, sizeof *out);
    *out = p;
    return 0;
}

/* The read of the text was announced before the call; if the step that decides whether the call fails
 * lies between, it must be again. */
static char *duplicate(const char *text, size_t most)
{
    if (HD_UNLIKELY(hd_fault_wanted(HD_FAULT_MALLOC)))
        __heddle_will_read_string(text, most, __heddle_call_site);
    size_t n = strnlen(text, most);
    char *copy = take(n + 1);
    if (copy) {
        memcpy(copy, text, n);
        copy[n] = 0;
    }
    return copy;
}

char *strdup(const char *text) { return FAILS() ? NULL : duplicate(text, SIZE_MAX); }
char *strndup(const char *text, size_t most) { return FAILS() ? NULL : duplicate(text, most); }

size_t malloc_usable_size(void *p) { return p ? ((struct hd_block *)p - 1)->size : 0; }

bool hd_heap_name(uint64_t addr, struct hd_name *name)
{
    if (!in_heap((void *)(uintptr_t)addr))
        return false;
    uint32_t thread = (uint32_t)((addr - HD_HEAP_BASE) / HD_HEAP_STRIDE);
    uint64_t at = arena_begin(thread), end = model->heaps[thread].bump;
    while (at < end) {
        const struct hd_block *b = (const struct hd_block *)at;
        uint64_t bytes = at + sizeof *b;
        if (addr < bytes + b->room) {
            *name = (struct hd_name){ HD_WHERE_HEAP, thread, b->index, addr - bytes };
            return true;
        }
        at = bytes + b->room;
    }
    return false;
}
