// What a process can do to itself and to its surroundings.
// cc-flags: -D_GNU_SOURCE
// options: --hang 2s
// case 1 fork: no-violation-found
// case 2 vfork: refused
// case 3 clone: refused
// case 4 exec: refused
// case 5 system: refused
// case 6 popen: refused
// case 7 spawn: refused
// case 8 close-all: verified | no-violation-found
// case 9 close-range: verified | no-violation-found | refused
// case 10 dup-over-all: verified | no-violation-found
// case 11 close-output: verified | no-violation-found
// case 12 endless-output: violation no-progress | no-violation-found | refused
// case 13 much-output: verified | no-violation-found
// case 14 change-directory: verified | no-violation-found | refused
// case 15 remove-directory: verified | no-violation-found | refused
// case 16 limit-memory: verified | no-violation-found | refused
// case 17 limit-processor: verified | no-violation-found | refused
// case 18 limit-files: verified | no-violation-found | refused
// case 19 personality: verified | no-violation-found | refused
// case 20 name-of-process: verified | no-violation-found | refused
// case 21 no-dump: verified | no-violation-found | refused
// case 22 own-memory-file: verified | no-violation-found | refused
// case 23 read-zeros: verified | no-violation-found | refused
// case 24 read-everything: verified | no-violation-found | refused
// case 25 write-full: verified | no-violation-found | refused
// case 26 session: verified | no-violation-found | refused
// case 27 umask: verified | no-violation-found | refused
// case 28 environment: verified | no-violation-found
// case 29 strict-seccomp: verified | no-violation-found | refused | violation crash | violation abort
// case 30 exit-with-many-handlers: verified | refused
// case 31 negative-exit: violation abort
// case 32 exit-256: verified
// case 33 stdin-closed: verified | no-violation-found
// case 34 pipe-to-nobody: violation abort | violation crash | verified | no-violation-found
// case 35 pipe-full: violation deadlock
// case 36 read-empty-pipe: violation deadlock
// case 37 descriptors-all: verified | no-violation-found | refused
// case 38 sleep-for-years: verified
// case 39 clock-far: verified
// case 40 abort-in-handler-of-exit: violation abort
// case 41 raw-getpid: verified | no-violation-found
// case 42 raw-nonsense: verified | no-violation-found | refused
// case 43 print-huge-width: verified | no-violation-found | violation memory | refused
// case 44 print-percent-n: verified | no-violation-found | violation crash | violation abort | refused
// case 45 scan-nothing: verified | no-violation-found
// case 46 qsort-broken-order: verified | no-violation-found
// case 47 empty-loop-of-yields: violation livelock | violation no-progress | no-violation-found
// case 48 poll-for-ever: violation deadlock
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile int never;
static int child(void *arg) { return arg != 0; }
static void handler(void) {}
static void aborts(void) { abort(); }
static int unordered(const void *a, const void *b) { return a < b ? 1 : a > b ? 1 : -1; }

static void process_1(void)
{
    char text[64];
    int ends[2];
#if V == 1
    if (fork() == 0)
        _exit(0);
#elif V == 2
    if (vfork() == 0)
        _exit(0);
#elif V == 3
    static char stack[65536];
    clone(child, stack + sizeof stack, SIGCHLD, NULL);
#elif V == 4
    execl("/bin/true", "true", (char *)NULL);
#elif V == 5
    system("true");
#elif V == 6
    popen("true", "r");
#elif V == 7
    pid_t pid;
    char *args[] = { "true", NULL };
    posix_spawn(&pid, "/bin/true", NULL, NULL, args, NULL);
#elif V == 8
    for (int i = 0; i < 1024; i++)
        close(i);
#elif V == 9
    syscall(SYS_close_range, 0, ~0u, 0);
#elif V == 10
    for (int i = 3; i < 100; i++)
        dup2(0, i);
#elif V == 11
    close(1);
    close(2);
    printf("nobody hears\n");
    fflush(stdout);
#elif V == 12
    for (;;)
        puts("again and again");
#elif V == 13
    for (int i = 0; i < 20000; i++)
        printf("%d: a line that is neither long nor short\n", i);
#elif V == 14
    chdir("/");
#elif V == 15
    if (mkdir("hostile-folder", 0700) == 0)
        rmdir("hostile-folder");
#elif V == 16
    struct rlimit little = { 1 << 20, 1 << 20 };
    setrlimit(RLIMIT_AS, &little);
#elif V == 17
    struct rlimit little = { 1000, 1000 };
    setrlimit(RLIMIT_CPU, &little);
#endif
}

static void process_2(void)
{
    char text[64];
    int ends[2];
#if V == 18
    struct rlimit little = { 3, 3 };
    setrlimit(RLIMIT_NOFILE, &little);
#elif V == 19
    personality(0x0040000);
#elif V == 20
    prctl(PR_SET_NAME, "a)b (c", 0, 0, 0);
#elif V == 21
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#elif V == 22
    int fd = open("/proc/self/mem", O_RDWR);
    pwrite(fd, "x", 1, 0x010000001000);
#elif V == 23
    int fd = open("/dev/zero", O_RDONLY);
    read(fd, text, sizeof text);
    close(fd);
#elif V == 24
    int fd = open("/dev/zero", O_RDONLY);
    char *all = malloc(64u << 20);
    read(fd, all, 64u << 20);
    free(all);
#elif V == 25
    int fd = open("/dev/full", O_WRONLY);
    write(fd, "x", 1);
#elif V == 26
    setsid();
#elif V == 27
    umask(0777);
#elif V == 28
    clearenv();
    setenv("A", "b", 1);
    if (strcmp(getenv("A"), "b") != 0)
        abort();
#elif V == 29
    prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
#elif V == 31
    exit(-1);
#elif V == 32
    exit(256);
#elif V == 33
    close(0);
    if (getchar() != EOF)
        abort();
#elif V == 34
    pipe(ends);
    close(ends[0]);
    write(ends[1], "x", 1);
#endif
}

static void process_3(void)
{
    char text[64];
    int ends[2];
#if V == 35
    pipe(ends);
    for (int i = 0; i < 100; i++) {
        static char page[4096];
        write(ends[1], page, sizeof page);
    }
#elif V == 36
    pipe(ends);
    read(ends[0], text, 1);
#elif V == 37
    while (open("/dev/null", O_RDONLY) >= 0)
        ;
#elif V == 38
    for (int i = 0; i < 100; i++)
        sleep(UINT_MAX);
#elif V == 39
    struct timespec far = { LONG_MAX, 0 };
    nanosleep(&far, NULL);
#elif V == 41
    if (syscall(SYS_getpid) != getpid())
        abort();
#elif V == 42
    syscall(99999, 1, 2, 3);
#elif V == 43
    printf("%100000000d\n", 1);
#elif V == 44
    int count;
    char *volatile format = "abc%n";
    printf(format, &count);
#elif V == 45
    int value = 3;
    if (sscanf("", "%d", &value) != EOF || value != 3)
        abort();
#elif V == 46
    int values[100] = { 3, 1, 2 };
    qsort(values, 100, sizeof values[0], unordered);
#elif V == 47
    while (!never)
        sched_yield();
#elif V == 48
    pipe(ends);
    struct pollfd p = { ends[0], POLLIN, 0 };
    poll(&p, 1, -1);
#endif
}

static void *work(void *arg)
{
    process_1();
    process_2();
    process_3();
    return arg;
}

int main(void)
{
    pthread_t t;
#if V == 30
    for (int i = 0; i < 3000; i++)
        atexit(handler);
#elif V == 40
    atexit(aborts);
#endif
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
