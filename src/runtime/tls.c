/* Thread-local storage: every fiber uses the block of a real thread that does nothing but own
 * it. libc puts the block at the end of that thread's stack, which we place in the range of the
 * fiber's own stack, so that both end with the fiber (core/layout.h).
 *
 * The threads are started before the root, because starting one changes libc's own data. When
 * an exploration needs more of them the worker asks to be started again with more. */
#include "runtime/rt.h"

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint64_t thread_pointer(void)
{
    uint64_t fs;
    __asm__("mov %%fs:0, %0" : "=r"(fs));
    return fs;
}

static void *park(void *arg)
{
    struct hd_fiber *f = arg;
    f->fs_base = thread_pointer();
    f->error_number = &errno;
    atomic_fetch_add(&rt->n_arrived, 1);
    hd_syscall(SYS_futex, (long)(uintptr_t)&rt->n_arrived, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    if (rt->serves) { /* what libc keeps of the thread stays, its number, too */
        hd_syscall(SYS_set_tid_address, 0, 0, 0, 0, 0, 0);
        hd_syscall(SYS_exit, 0, 0, 0, 0, 0, 0);
    }
    for (;;)
        hd_syscall(SYS_pause, 0, 0, 0, 0, 0, 0);
    return NULL;
}

static int add_block(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)arg;
    if (size < offsetof(struct dl_phdr_info, dlpi_tls_data) + sizeof(void *) ||
        !info->dlpi_tls_data)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_TLS)
            continue;
        int64_t begin = (int64_t)((uint64_t)(uintptr_t)info->dlpi_tls_data - thread_pointer());
        int64_t end = begin + (int64_t)info->dlpi_phdr[i].p_memsz;
        if (begin < rt->tls_begin)
            rt->tls_begin = begin;
        if (end > rt->tls_end)
            rt->tls_end = end;
    }
    return 0;
}

void hd_tls_measure(void)
{
    rt->tls_begin = rt->tls_end = 0;
    dl_iterate_phdr(add_block, NULL);
    rt->tls_end = 0; /* the blocks of variant II end at the thread pointer */
    rt->fibers[0].fs_base = thread_pointer();
    rt->fibers[0].error_number = &errno;
}

/* The stack of the real thread that owns the block of `thread`: a few calls, and the block
 * itself. */
static uint64_t owner_stack(uint32_t thread, uint64_t bytes)
{
    uint64_t at = HD_STACK_BASE + thread * HD_STACK_STRIDE;
    void *p = hd_mmap((void *)at, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p != (void *)at)
        hd_fatal("not enough memory for thread-local storage");
    return at;
}

/* What libc allocates for them goes to the heap of a thread that rarely exists: the addresses
 * of the program's own blocks must not depend on the number of these threads. */
void hd_tls_park(uint32_t n)
{
    uint32_t cur = rt->cur;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                  void *) = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *),
                                     void *))(uintptr_t)hd_real("pthread_create");
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    uint64_t bytes = (uint64_t)(rt->tls_end - rt->tls_begin);
    uint64_t stack = ((bytes + 4095) & ~4095ull) + (128u << 10);
    if (stack > HD_STACK_STRIDE - HD_STACK_MOST - 4096)
        hd_fatal("the thread-local variables are too large: %llu bytes",
                 (unsigned long long)bytes);
    uint32_t most = HD_MAX_THREADS - 1;
    rt->cur = most;
    for (uint32_t i = rt->n_parked; i < n && i < most; i++) {
        pthread_t id;
        pthread_attr_setstack(&attr, (void *)owner_stack(i + 1, stack), stack);
        if (create(&id, &attr, park, &rt->fibers[i + 1]) != 0)
            hd_fatal("cannot prepare the thread-local storage of %u threads", n);
        rt->n_parked = i + 1;
    }
    for (uint32_t is; (is = atomic_load(&rt->n_arrived)) < rt->n_parked;)
        hd_syscall(SYS_futex, (long)(uintptr_t)&rt->n_arrived, FUTEX_WAIT_PRIVATE, is, 0, 0, 0);
    rt->cur = cur;
    pthread_attr_destroy(&attr);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (!rt->tls_pristine && rt->n_parked && bytes) {
        void *copy = hd_mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                             0);
        if (copy == MAP_FAILED)
            hd_fatal("not enough memory for thread-local storage");
        memcpy(copy, (char *)rt->fibers[1].fs_base + rt->tls_begin, bytes);
        rt->tls_pristine = (uint64_t)(uintptr_t)copy;
    }
}

/* Give `thread` a fresh block. */
void hd_tls_assign(uint32_t thread)
{
    struct hd_fiber *f = &rt->fibers[thread];
    if (!f->fs_base) {
        if (rt->mode == HD_PLAIN) {
            hd_tls_park(thread);
        } else {
            rt->shared->ctl.state = HD_STATE_MORE_PARKED;
            hd_engine_finish();
        }
    }
    char *block = (char *)f->fs_base + rt->tls_begin;
    const void *fresh = (const void *)(uintptr_t)rt->tls_pristine;
    size_t bytes = (size_t)(rt->tls_end - rt->tls_begin);
    if (fresh && memcmp(block, fresh, bytes) != 0) /* to write makes a copy of its page */
        memcpy(block, fresh, bytes);
}
