#include "runtime/fork_server.h"

#include "runtime/rt.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

static long call(long number, long a, long b, long c)
{
    return hd_syscall(number, a, b, c, 0, 0, 0);
}

/* The descriptors that come next, and the number of threads to prepare.  False: none will
 * come. */
static bool receive(int line, struct hd_served *served, uint32_t *n_parked)
{
    struct iovec data = { n_parked, sizeof *n_parked };
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } room;
    int fds[2] = { -1, -1 };
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = &room, .msg_controllen = sizeof room
    };
    long got;
    do
        got = call(SYS_recvmsg, line, (long)(uintptr_t)&message, 0);
    while (got == -EINTR);
    if (got != sizeof *n_parked || message.msg_controllen < CMSG_LEN(sizeof *fds) ||
        room.head.cmsg_type != SCM_RIGHTS)
        return false;
    bool both = room.head.cmsg_len == CMSG_LEN(sizeof fds);
    memcpy(fds, CMSG_DATA(&room.head), both ? sizeof fds : sizeof *fds);
    *served = (struct hd_served){ .memory = fds[0], .tree = fds[1] };
    return true;
}

/* The C library keeps the number of a thread beside its thread pointer.  Returns its place, or
 * NULL if that is not certain. */
static int32_t *kept_number(void)
{
    enum { WORDS = 512 };
    int32_t *words = __builtin_thread_pointer(), *found = NULL;
    int32_t self = (int32_t)call(SYS_gettid, 0, 0, 0);
    uint32_t n = 0;
    for (uint32_t i = 0; i < WORDS; i++)
        if (words[i] == self && n++ == 0)
            found = &words[i];
    return n == 1 ? found : NULL;
}

/* In a copy: what a new process would have.  It says its number itself, and ends if nobody
 * wants to know it any more: the supervisor has lost patience, and another worker has the
 * memory. */
static void begin(int line, long parent, int32_t *number)
{
    call(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0);
    call(SYS_setpgid, 0, 0, 0);
    *number = (int32_t)call(SYS_set_tid_address, (long)(uintptr_t)number, 0, 0);
    if (call(SYS_getppid, 0, 0, 0) != parent ||
        hd_syscall(SYS_sendto, line, (long)(uintptr_t)number, sizeof *number, MSG_NOSIGNAL, 0,
                   0) != sizeof *number)
        call(SYS_exit_group, 127, 0, 0);
    call(SYS_close, line, 0, 0);
}

struct hd_served hd_fork_server(int line)
{
    long parent = call(SYS_getppid, 0, 0, 0);
    int32_t *number = kept_number();
    rt->serves = 1;
    for (;;) {
        uint32_t n_parked;
        struct hd_served got;
        if (!receive(line, &got, &n_parked) || !number)
            call(SYS_exit_group, 0, 0, 0);
        hd_tls_park(n_parked); /* only their memory is needed, which the copies have */
        /* a child of the supervisor, which waits for it */
        long pid = call(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0);
        if (pid == 0) {
            begin(line, parent, number);
            rt->serves = 0;
            return got;
        }
        if (pid < 0)
            call(SYS_exit_group, 0, 0, 0);
        call(SYS_close, got.memory, 0, 0);
        if (got.tree >= 0)
            call(SYS_close, got.tree, 0, 0);
    }
}
