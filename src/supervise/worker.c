#define _GNU_SOURCE
#include "supervise/worker.h"

#include "supervise/fork_server.h"
#include "supervise/worker_process.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Copy only what is used: the rest of the shared memory stays without pages. */
static void copy_route(struct hd_route *to, const struct hd_route *from)
{
    uint32_t n = from->n_sites;
    memcpy(to, from, offsetof(struct hd_route, marks));
    memcpy(to->marks, from->marks, n * sizeof *to->marks);
    for (uint32_t i = 0; i < from->n_targets + from->n_via + from->assertions; i++)
        memcpy(to->ways[i], from->ways[i], n * sizeof **to->ways);
}

static void copy_foresight(struct hd_foresight *to, const struct hd_foresight *from)
{
    uint32_t n = from->n_sites;
    memcpy(to, from, offsetof(struct hd_foresight, bit));
    memcpy(to->bit, from->bit, n * sizeof *to->bit);
    memcpy(to->at, from->at, n * sizeof *to->at);
    memcpy(to->behind, from->behind, n * sizeof *to->behind);
    memcpy(to->rows, from->rows, (size_t)from->n_rows * from->words * sizeof *to->rows);
}

void hd_worker_foresee(struct hd_worker *worker, const struct hd_foresight *foresight)
{
    if (foresight)
        copy_foresight(&worker->shared->foresight, foresight);
}

int hd_worker_init(struct hd_worker *worker, const struct hd_options *options,
                   const struct hd_route *route, struct hd_err *err)
{
    *worker = (struct hd_worker){ .memory = -1, .tree = -1 };
    worker->memory = memfd_create("heddle", MFD_CLOEXEC);
    if (worker->memory < 0)
        return hd_err_set(err, "cannot create shared memory: memfd_create: %s", strerror(errno));
    if (ftruncate(worker->memory, (off_t)HD_TOOL_BYTES) != 0) {
        hd_err_set(err,
                   "cannot reserve shared memory: %s (is there a limit on file sizes? see "
                   "`ulimit -f`)",
                   strerror(errno));
        goto fail;
    }
    void *at = mmap(NULL, sizeof *worker->shared, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_NORESERVE, worker->memory, 0);
    if (at == MAP_FAILED) {
        hd_err_set(err,
                   "cannot map shared memory: %s (is there a limit on address space? see "
                   "`ulimit -v`)",
                   strerror(errno));
        goto fail;
    }
    worker->shared = at;
    worker->shared->magic = HD_SHARED_MAGIC;
    worker->shared->version = HD_SHARED_VERSION;
    worker->shared->arena_offset = (sizeof *worker->shared + 4095) & ~4095u;
    hd_options_copy(&worker->shared->options, options);
    worker->shared->n_threads = 1;
    if (route)
        copy_route(&worker->shared->route, route);
    hd_worker_seal(worker);
    return 0;
fail:
    close(worker->memory);
    worker->memory = -1;
    return -1;
}

void hd_worker_seal(struct hd_worker *worker)
{
    worker->shared->options_checksum = hd_shared_checksum(&worker->shared->options);
}

void hd_worker_release(struct hd_worker *worker)
{
    hd_worker_kill(worker);
    if (worker->shared)
        munmap(worker->shared, sizeof *worker->shared);
    if (worker->memory >= 0)
        close(worker->memory);
    worker->shared = NULL;
    worker->memory = -1;
}

/* Warn once that system calls are not filtered. */
static void tell_unfiltered(const struct hd_worker *worker)
{
    static bool told;
    if (worker->unfiltered && !told)
        fputs("heddle: warning: the kernel has no filters of system calls (seccomp) for the "
              "program: raw system calls that affect other processes are not stopped\n",
              stderr);
    told = told || worker->unfiltered;
}

int hd_worker_start(struct hd_worker *worker, struct hd_fork_server *server, const char *path,
                    char *const *args, struct hd_err *err)
{
    if (worker->pid != 0)
        hd_bug("a worker is started while another one runs");
    if (server)
        worker->pid = hd_fork_server_copy(server, worker->memory, worker->tree,
                                          worker->shared->options.n_parked, path, args);
    worker->copied = worker->pid != 0;
    if (worker->copied) {
        worker->randomised = server->randomised;
        worker->unfiltered = server->unfiltered;
    } else {
        struct hd_new_process process = { .path = path,
                                          .args = args,
                                          .variable = HD_ENV_WORKER,
                                          .descriptor = worker->memory,
                                          .extra = worker->tree };
        int failed = hd_new_process_start(&process, err);
        worker->randomised = process.randomised;
        worker->unfiltered = process.unfiltered;
        if (failed)
            return -1;
        worker->pid = process.pid;
    }
    tell_unfiltered(worker);
    return 0;
}

static void ended(struct hd_worker *worker, int status, const struct rusage *usage)
{
    /* The program may have left processes of its own. */
    kill(-worker->pid, SIGKILL);
    worker->pid = 0;
    worker->status = status;
    if ((uint64_t)usage->ru_maxrss > worker->peak_rss_kb)
        worker->peak_rss_kb = (uint64_t)usage->ru_maxrss;
}

static bool reap(struct hd_worker *worker, int flags)
{
    int status;
    struct rusage usage;
    pid_t got;
    do
        got = wait4(worker->pid, &status, flags, &usage);
    while (got < 0 && errno == EINTR);
    if (got == 0 || (got > 0 && !WIFEXITED(status) && !WIFSIGNALED(status)))
        return false;
    if (got < 0)
        hd_bug("wait4: %s", strerror(errno));
    ended(worker, status, &usage);
    return true;
}

void hd_worker_wait_any(struct hd_worker *const *workers, uint32_t n, int milliseconds)
{
    struct pollfd *ends = hd_alloc((n + 1) * sizeof *ends);
    bool known = true;
    for (uint32_t i = 0; i < n; i++) {
        ends[i] = (struct pollfd){ .fd = (int)syscall(SYS_pidfd_open, workers[i]->pid, 0),
                                   .events = POLLIN };
        known = known && ends[i].fd >= 0;
    }
    if (known) {
        poll(ends, n, milliseconds);
    } else {
        struct timespec pause = { milliseconds / 1000, milliseconds % 1000 * 1000000l };
        nanosleep(&pause, NULL);
    }
    for (uint32_t i = 0; i < n; i++)
        if (ends[i].fd >= 0)
            close(ends[i].fd);
    free(ends);
}

bool hd_worker_poll(struct hd_worker *worker, int milliseconds)
{
    if (reap(worker, WNOHANG))
        return true;
    if (milliseconds == 0)
        return false;
    hd_worker_wait_any(&worker, 1, milliseconds);
    return reap(worker, WNOHANG);
}

bool hd_worker_usage(const struct hd_worker *worker, struct hd_worker_usage *usage)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)worker->pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = 0;
    /* The name in parentheses may contain anything: the fields begin after the last
     * parenthesis. */
    char *at = strrchr(text, ')');
    char state;
    unsigned long user, system;
    if (!at || sscanf(at + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &state,
                      &user, &system) != 3)
        return false;
    usage->cpu_seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    usage->sleeping = state != 'R';
    return true;
}

uint64_t hd_worker_pc(struct hd_worker *worker)
{
    int status;
    struct rusage usage;
    if (ptrace(PTRACE_SEIZE, worker->pid, NULL, NULL) != 0 ||
        ptrace(PTRACE_INTERRUPT, worker->pid, NULL, NULL) != 0 ||
        wait4(worker->pid, &status, __WALL, &usage) != worker->pid)
        return 0;
    if (!WIFSTOPPED(status)) {
        ended(worker, status, &usage);
        return 0;
    }
    struct user_regs_struct regs;
    struct iovec into = { &regs, sizeof regs };
    if (ptrace(PTRACE_GETREGSET, worker->pid, (void *)NT_PRSTATUS, &into) != 0)
        return 0;
#if defined __x86_64__
    return regs.rip;
#elif defined __aarch64__
    return regs.pc;
#else
    return 0;
#endif
}

void hd_worker_kill(struct hd_worker *worker)
{
    if (worker->pid == 0)
        return;
    kill(worker->pid, SIGKILL);
    while (!reap(worker, __WALL))
        ;
}
