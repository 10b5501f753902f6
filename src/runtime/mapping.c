/* mmap of anonymous memory: blocks of the heap, whole pages of zeros, so that backtracking
 * restores them; munmap frees them, or cuts off the end.
 *
 * Mappings of files are the kernel's.  A mapping that exists at the root is needed in the next
 * execution, and every one while the log is undone, which leads into it.  So munmap only
 * removes access rights, so that the next access faults as it should.  Going back to the root
 * restores them, and unmaps what was mapped later.
 *
 * Unmapping another part of a mapping, and protecting memory, have no effect; the result says
 * so.
 *
 * Under a weak memory model the files that the program writes are mapped side by side, at
 * HD_MAPPED_BASE.  So the explorer knows which accesses are of such a file. */
#include "runtime/fault.h"
#include "runtime/fd.h"
#include "runtime/files.h"
#include "runtime/heap.h"
#include "runtime/memory.h"
#include "runtime/private.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define PAGE 4096ull
#define FIXED (MAP_FIXED | MAP_FIXED_NOREPLACE)

extern uint32_t __heddle_call_site;
void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);

void *hd_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return (void *)hd_syscall(SYS_mmap, (long)(uintptr_t)at, (long)bytes, protection, flags, fd,
                              offset);
}

int hd_mprotect(void *at, size_t bytes, int protection)
{
    return (int)hd_syscall(SYS_mprotect, (long)(uintptr_t)at, (long)bytes, protection, 0, 0, 0);
}

static void leave_out(enum hd_left_out what)
{
    if (rt->shared)
        rt->shared->cnt.left_out |= what;
}

static void note(enum hd_note_kind kind, uint32_t site)
{
    if (rt->rooted && rt->shared)
        hd_notes_add(&rt->shared->notes, kind, site, 1);
}

static bool is_protected(int protection)
{
    return (protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE);
}

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) & ~(PAGE - 1); }

/* The program changes addresses that are not a mapping of its own: a violation if some are
 * heddle's. */
static void not_ours(const void *at, size_t bytes, const char *call, uint32_t site)
{
    uint64_t begin = (uint64_t)(uintptr_t)at, end = begin + bytes;
    if (end < begin)
        end = UINT64_MAX;
    if (begin < HD_OWN_END && end > HD_OWN_BEGIN)
        hd_violation(HD_KIND_MEMORY, site,
                     "%s of %p, which is memory of heddle itself (prevented)", call, at);
    if (begin < HD_LAYOUT_END && end > HD_OWN_END)
        hd_violation(
            HD_KIND_MEMORY, site,
            "%s of %p, which is no mapping but part of the heap or of a stack (prevented)", call,
            at);
}

/* ---- mappings of files ---- */

/* Bytes of a file that lie at two addresses would be two variables for the explorer.  So a
 * file that the program writes is mapped once, and every mapping of it that shares its bytes
 * is the same one. NULL: there is none yet. */
static void *mapped_before(struct hd_mapping *new, uint32_t site)
{
    char place[300];
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        struct hd_mapping *m = &rt->mappings[i];
        if (m->gone || m->inode != new->inode || m->device != new->device ||
            !((m->protection | new->protection) & PROT_WRITE) || (!m->shared && !new->shared))
            continue;
        uint64_t delta = new->offset - m->offset;
        bool inside = new->offset >= m->offset &&delta + new->bytes <= m->bytes;
        if (inside && delta == 0 && m->bytes == new->bytes && m->shared &&new->shared &&
            ((m->protection & new->protection) == new->protection ||
             hd_mprotect((void *)m->begin, m->bytes, m->protection | new->protection) == 0)) {
            if (m->protection != new->protection)
                leave_out(HD_LEFT_TWICE);
            m->protection |= new->protection;
            m->users++;
            return (void *)m->begin;
        }
        hd_site_text(site, place, sizeof place);
        hd_fatal(
            "%s: mmap() of a file that is mapped already, in another way: that is not modelled "
            "by this version of heddle",
            place);
    }
    return NULL;
}

static void describe(struct hd_mapping *m, int protection, int flags, int fd, off_t offset)
{
    struct stat is;
    *m = (struct hd_mapping){ .protection = protection,
                              .at_root = !rt->rooted,
                              .users = 1,
                              .shared = (flags & MAP_TYPE) != MAP_PRIVATE,
                              .offset = (uint64_t)offset };
    if (flags & MAP_ANONYMOUS || hd_syscall(SYS_fstat, fd, (long)(uintptr_t)&is, 0, 0, 0, 0) != 0)
        return;
    m->device = is.st_dev;
    m->inode = is.st_ino;
    m->written = hd_private_is(fd);
}

bool hd_mappings_are_ordered(void)
{
    return rt->weak && (rt->mode == HD_REPLAYING || rt->shared->options.races != HD_RACES_OFF);
}

/* The mapping counts, or counts no more (-1). */
static void count(const struct hd_mapping *m, uint32_t how)
{
    rt->n_written_mappings += m->written ? how : 0;
    rt->n_ordered_mappings += m->written && HD_IS_MAPPED(m->begin) ? how : 0;
}

/* Where the next file that the program writes is mapped; NULL: there is no room.  A page is
 * left between two of them. */
static void *next_place(size_t bytes)
{
    uint64_t at = HD_MAPPED_BASE;
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        uint64_t end = rt->mappings[i].begin + rt->mappings[i].bytes + PAGE;
        if (HD_IS_MAPPED(rt->mappings[i].begin) && end > at)
            at = end;
    }
    bool room = bytes < HD_MAPPED_BYTES && at + bytes <= HD_MAPPED_BASE + HD_MAPPED_BYTES;
    return room ? (void *)at : NULL;
}

static void *map_at(const struct hd_mapping *m, void *at, size_t bytes, int flags, int fd)
{
    bool ordered = m->written && !(flags & FIXED) && hd_mappings_are_ordered();
    void *place = ordered ? next_place(m->bytes) : NULL;
    return hd_mmap(place ? place : at, bytes, m->protection,
                   flags | (place ? MAP_FIXED_NOREPLACE : 0), fd, (off_t)m->offset);
}

static void *map_file(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    uint32_t site = hd_take_site();
    struct hd_mapping new;
    if (flags & FIXED)
        hd_opaque_range(NULL, 0, site); /* other bytes may appear where variables lie */
    else
        hd_opaque_apart(site);
    describe(&new, protection, flags, fd, offset);
    new.bytes = whole_pages(bytes);
    void *same = new.written &&bytes ? mapped_before(&new, site) : NULL;
    if (same)
        return same;
    void *p = map_at(&new, at, bytes, flags, fd);
    if (p == MAP_FAILED && errno == EBADF && fd >= 0)
        hd_fd_is_closed(site);
    if (p == MAP_FAILED)
        return p;
    if (rt->n_mappings == HD_MAX_MAPPINGS)
        hd_fatal("the program maps files more than %u times, the most that heddle can bring back",
                 HD_MAX_MAPPINGS);
    struct hd_mapping *m = &rt->mappings[rt->n_mappings++];
    *m = new;
    m->begin = (uint64_t)(uintptr_t)p;
    count(m, 1);
    return p;
}

/* The mapping of a file that holds the range; NULL: there is none. */
static struct hd_mapping *any_file_at(const void *at, size_t bytes)
{
    uint64_t begin = (uint64_t)(uintptr_t)at;
    for (uint32_t i = 0; hd_ready && i < rt->n_mappings; i++) {
        struct hd_mapping *m = &rt->mappings[i];
        if (begin >= m->begin && begin + whole_pages(bytes) <= m->begin + m->bytes)
            return m;
    }
    return NULL;
}

/* The same; NULL if there is no root yet. */
static struct hd_mapping *file_at(const void *at, size_t bytes)
{
    return rt->rooted ? any_file_at(at, bytes) : NULL;
}

/* The program protects a file that it mapped before the root. */
static void note_protection(const void *at, int protection)
{
    uint64_t begin = (uint64_t)(uintptr_t)at;
    for (uint32_t i = 0; hd_ready && !rt->rooted && i < rt->n_mappings; i++)
        if (rt->mappings[i].begin == begin)
            rt->mappings[i].protection = protection;
}

/* A file that is unmapped before the root is gone for good.  False: it is mapped twice. */
static bool forget_file(const void *at, size_t bytes)
{
    uint64_t begin = (uint64_t)(uintptr_t)at, end = begin + whole_pages(bytes);
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        struct hd_mapping *m = &rt->mappings[i];
        if (begin > m->begin || end < m->begin + m->bytes)
            continue;
        if (--m->users) {
            leave_out(HD_LEFT_TWICE);
            return false;
        }
        count(m, -1u);
        *m = rt->mappings[--rt->n_mappings];
    }
    return true;
}

void hd_mappings_remember(void)
{
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        rt->mappings[i].at_root = 1;
        rt->mappings[i].root_users = rt->mappings[i].users;
        rt->mappings[i].root_protection = rt->mappings[i].protection;
    }
}

/* The file of a later mapping may be shorter by now, and a store beyond its end would fault. */
void hd_mappings_open(void)
{
    const int all = PROT_READ | PROT_WRITE;
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        const struct hd_mapping *m = &rt->mappings[i];
        if (!m->at_root)
            hd_mmap((void *)m->begin, m->bytes, all,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
        else if (m->changed)
            hd_mprotect((void *)m->begin, m->bytes, all);
    }
}

void hd_mappings_restore(void)
{
    uint32_t n = 0;
    rt->n_written_mappings = rt->n_ordered_mappings = 0;
    for (uint32_t i = 0; i < rt->n_mappings; i++) {
        struct hd_mapping *m = &rt->mappings[i];
        if (!m->at_root) {
            hd_syscall(SYS_munmap, (long)m->begin, (long)m->bytes, 0, 0, 0, 0);
            continue;
        }
        if (m->changed || m->protection != m->root_protection)
            hd_mprotect((void *)m->begin, m->bytes, m->root_protection);
        m->changed = m->gone = m->part_gone = 0;
        m->users = m->root_users;
        m->protection = m->root_protection;
        count(m, 1);
        rt->mappings[n++] = *m;
    }
    rt->n_mappings = n;
}

/* Is it unmapped?  Where a part of it is, the caller may ask for that part or another one. */
static bool is_gone(const struct hd_mapping *m, uint32_t site)
{
    if (m->part_gone)
        leave_out(HD_LEFT_UNMAPPED);
    if (m->gone)
        note(HD_NOTE_UNMAPPED, site);
    return m->gone;
}

/* The caller has made the step. */
static int protect_file(struct hd_mapping *m, void *at, size_t bytes, int protection)
{
    m->changed = 1;
    return hd_mprotect(at, bytes, protection);
}

static int unmap_file(void *at, size_t bytes)
{
    bool program = hd_ready && __heddle_call_site;
    if (program)
        hd_opaque_range(at, whole_pages(bytes), hd_take_site()); /* others may run meanwhile */
    struct hd_mapping *m = file_at(at, bytes);
    if (!m)
        return program && !forget_file(at, bytes)
                   ? 0
                   : (int)hd_syscall(SYS_munmap, (long)(uintptr_t)at, (long)bytes, 0, 0, 0, 0);
    bool whole = m->begin == (uint64_t)(uintptr_t)at && m->bytes == whole_pages(bytes);
    if (whole && m->users > 1) {
        leave_out(HD_LEFT_TWICE);
        m->users--;
        return 0;
    }
    if (whole && !m->gone) {
        m->gone = 1;
        count(m, -1u);
    }
    m->part_gone |= !whole;
    return protect_file(m, at, bytes, PROT_NONE);
}

/* ---- */

/* Calls of the program have a site. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (!hd_ready || rt->mode == HD_PLAIN || !__heddle_call_site)
        return hd_mmap(at, bytes, protection, flags, fd, offset);
    note(HD_NOTE_MAPPED, __heddle_call_site);
    if (!(flags & MAP_ANONYMOUS) || (flags & FIXED)) {
        if (flags & FIXED)
            not_ours(at, bytes, "mmap", __heddle_call_site);
        return map_file(at, bytes, protection, flags, fd, offset);
    }
    if (bytes == 0) {
        hd_take_site();
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (is_protected(protection))
        leave_out(HD_LEFT_PROTECTED);
    if (flags & MAP_SHARED)
        HD_SET(model->forks.shares, 1);
    bytes = whole_pages(bytes);
    void *p = HD_HEAP_FAILS() ? NULL : hd_heap_take(bytes, PAGE, HD_FAMILY_MAPPED);
    if (!p) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    /* a fresh slot contains only the pattern of a new block */
    memset(p, 0, bytes);
    return p;
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return mmap(at, bytes, protection, flags, fd, offset);
}

/* The mapping that the address lies in; NULL: none of ours. */
static struct hd_block *mapping_at(const void *at)
{
    struct hd_block *b = hd_ready ? hd_block_at((uint64_t)(uintptr_t)at) : NULL;
    return b && b->state != HD_BLOCK_NONE && b->family == HD_FAMILY_MAPPED ? b : NULL;
}

static int no_memory(void)
{
    errno = ENOMEM;
    return -1;
}

/* What stands for a mapping; several may have one object in common. */
static const uint64_t *object_of(const struct hd_block *b)
{
    return &model->unmapped[(b->thread * 16 + b->index) % HD_UNMAPPED];
}

/* The step in which a mapping ends for calls that do not access it. */
static void unmap_step(const struct hd_block *b, uint32_t site)
{
    if (!rt->solo_fast && hd_asks_mappings())
        hd_act(HD_OP_UNMAP, object_of(b), NULL, 0, site);
}

/* A step in which the range is in the mapping or not. */
static bool is_mapped(const struct hd_block *b, const void *at, size_t bytes, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_MAPPING_USE, object_of(b), NULL, 0, site);
    uint64_t from = (uint64_t)(uintptr_t)at - b->at;
    bool is = b->state == HD_BLOCK_LIVE && !b->unmapped && from <= b->size &&
              whole_pages(bytes) <= b->size - from;
    if (!is)
        note(HD_NOTE_UNMAPPED, site);
    return is;
}

/* Remove the end of the mapping from `at` on.  The size changes in the last step, so that it
 * does for accesses and other calls alike. */
static void cut_off(struct hd_block *b, void *at, uint32_t site)
{
    uint64_t left = (uint64_t)(uintptr_t)at - b->at;
    if (!rt->solo_fast)
        hd_act_full(HD_OP_FREE, at, NULL, (uint32_t)(b->size - left), site, 1);
    unmap_step(b, site);
    if (b->state == HD_BLOCK_LIVE && b->size > left)
        HD_SET(b->size, left);
}

int munmap(void *at, size_t bytes)
{
    struct hd_block *b = mapping_at(at);
    if (!b) {
        if (hd_ready && __heddle_call_site)
            not_ours(at, bytes, "munmap", __heddle_call_site);
        return unmap_file(at, bytes);
    }
    uint64_t begin = (uint64_t)(uintptr_t)at;
    bool to_end = begin + whole_pages(bytes) >= b->at + b->size;
    if (b->state == HD_BLOCK_LIVE && (b->at != begin || !to_end)) {
        uint32_t site = hd_take_site();
        if (to_end && begin > b->at && begin % PAGE == 0)
            cut_off(b, at, site);
        else
            leave_out(HD_LEFT_UNMAPPED);
        return 0;
    }
    if (hd_asks_mappings() && b->state == HD_BLOCK_LIVE) {
        uint32_t site = __heddle_call_site;
        unmap_step(b, site);
        HD_SET(b->unmapped, 1);
        __heddle_call_site = site; /* other threads may have run */
    }
    hd_heap_free(at, HD_FAMILY_MAPPED, "munmap", __builtin_return_address(0));
    return 0;
}

/* Memory that backtracking writes to must stay writable: protecting it is left out and
 * noted. */
static bool in_world(const void *at, size_t bytes)
{
    uint64_t begin = (uint64_t)(uintptr_t)at, end = begin + bytes;
    if (!hd_ready || !__heddle_call_site)
        return false;
    uint32_t site = hd_take_site();
    if (begin < HD_OWN_END && end > HD_OWN_BEGIN)
        not_ours(at, bytes, "mprotect", site);
    if (begin < HD_LAYOUT_END && end > HD_OWN_BEGIN)
        return true;
    for (uint32_t i = 0; i < rt->n_ranges; i++) {
        uint64_t data = (uint64_t)(uintptr_t)rt->ranges[i].begin;
        if (begin < data + rt->ranges[i].bytes && end > data)
            return true;
    }
    return false;
}

/* The explorer calls these too: addresses outside the program's mappings are passed to the
 * system at once. */
int mprotect(void *at, size_t bytes, int protection)
{
    uint32_t site = __heddle_call_site;
    struct hd_mapping *file = site ? any_file_at(at, bytes) : NULL;
    if (file)
        hd_opaque_range(at, whole_pages(bytes), hd_take_site());
    if (file && is_gone(file, site))
        return no_memory();
    if (file && rt->rooted)
        return protect_file(file, at, bytes, protection);
    const struct hd_block *b = mapping_at(at);
    if (b && !is_mapped(b, at, bytes, hd_take_site()))
        return no_memory();
    if (!b && !in_world(at, bytes)) {
        note_protection(at, protection);
        return hd_mprotect(at, bytes, protection);
    }
    if (is_protected(protection))
        leave_out(HD_LEFT_PROTECTED);
    return 0;
}

/* Change the size, and the address if necessary. */
void *mremap(void *at, size_t bytes, size_t wanted, int flags, ...)
{
    struct hd_block *b = mapping_at(at);
    uint32_t site = __heddle_call_site;
    if (!b) {
        if (hd_ready && site) {
            not_ours(at, bytes, "mremap", hd_take_site());
            hd_opaque_range(NULL, 0, site); /* where it will lie is not known */
        }
        return (void *)hd_syscall(SYS_mremap, (long)(uintptr_t)at, (long)bytes, (long)wanted,
                                  flags, 0, 0);
    }
    wanted = whole_pages(wanted);
    if (!is_mapped(b, at, bytes, site)) {
        hd_take_site();
        errno = EFAULT;
        return MAP_FAILED;
    }
    __heddle_call_site = site;
    if (b->at != (uint64_t)(uintptr_t)at || b->state != HD_BLOCK_LIVE || wanted == 0 ||
        (flags & ~MREMAP_MAYMOVE)) {
        hd_take_site();
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (wanted <= b->size) {
        hd_take_site();
        if (wanted < b->size)
            cut_off(b, (char *)at + wanted, site);
        return at;
    }
    void *to = flags & MREMAP_MAYMOVE ? hd_heap_take(wanted, PAGE, HD_FAMILY_MAPPED) : NULL;
    if (!to) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    memset(to, 0, wanted);
    __heddle_copy(to, at, b->size, site);
    __heddle_call_site = site;
    hd_heap_free(at, HD_FAMILY_MAPPED, "mremap", __builtin_return_address(0));
    return to;
}

/* Memory that is given up reads as zeros from then on. */
static void give_up(const struct hd_block *b, void *at, size_t bytes)
{
    uint32_t site = hd_take_site();
    uint64_t begin = (uint64_t)(uintptr_t)at, end = b->at + b->size;
    if (begin >= end)
        return;
    bytes = whole_pages(bytes);
    bytes = bytes < end - begin ? bytes : end - begin;
    __heddle_will_write(at, bytes, site);
    hd_view_fill(rt->cur, at, 0, bytes);
}

int msync(void *at, size_t bytes, int flags)
{
    uint32_t site = hd_take_site();
    const struct hd_block *b = mapping_at(at);
    if (!b) {
        __heddle_opaque(site);
        const struct hd_mapping *file = any_file_at(at, bytes);
        return file && is_gone(file, site)
                   ? no_memory()
                   : (int)hd_syscall(SYS_msync, (long)(uintptr_t)at, (long)bytes, flags, 0, 0, 0);
    }
    bool both = (flags & (MS_ASYNC | MS_SYNC)) == (MS_ASYNC | MS_SYNC);
    if ((uint64_t)(uintptr_t)at % PAGE || both || flags & ~(MS_ASYNC | MS_SYNC | MS_INVALIDATE)) {
        errno = EINVAL;
        return -1;
    }
    return is_mapped(b, at, bytes, site) ? 0 : no_memory();
}

int madvise(void *at, size_t bytes, int advice)
{
    const struct hd_block *b = mapping_at(at);
    uint32_t site = __heddle_call_site;
    if (b && !is_mapped(b, at, bytes, hd_take_site()))
        return no_memory();
    __heddle_call_site = site;
    if (b && advice == MADV_DONTNEED)
        give_up(b, at, bytes);
    else if (b && (advice == MADV_FREE || advice == MADV_REMOVE))
        leave_out(HD_LEFT_ADVISED);
    if (b)
        return 0;
    uint64_t memory = (uint64_t)(uintptr_t)at; /* of the explorer, or of the tree of workers */
    bool explorer = memory - HD_TOOL_BASE < HD_TOOL_BYTES ||
                    memory - HD_TREE_BASE < HD_TREE_BYTES;
    if (hd_ready && __heddle_call_site && !explorer)
        not_ours(at, bytes, "madvise", hd_take_site());
    return (int)hd_syscall(SYS_madvise, (long)(uintptr_t)at, (long)bytes, advice, 0, 0, 0);
}
