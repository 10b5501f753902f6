// Threads: many of them, and ends of them that were not thought of.
// cc-flags: -D_GNU_SOURCE
// options: --hang 2s
// case 1 threads-64: verified
// case 2 threads-200: verified
// case 3 threads-300: no-violation-found
// case 4 threads-in-turn-300: no-violation-found
// case 5 mutexes-4096: verified
// case 6 mutexes-70000: verified | refused
// case 7 recursion-endless: violation crash
// case 8 recursion-deep-right: verified
// case 9 stack-of-400-mib: verified
// case 10 join-self: violation misuse | violation deadlock
// case 11 join-twice: violation misuse
// case 12 join-garbage: violation misuse
// case 13 detach-twice: violation misuse
// case 14 exit-in-thread: violation abort
// case 15 exit-0-in-thread: verified
// case 16 _exit-in-thread: violation abort
// case 17 quick-exit: verified
// case 18 atexit-endless: violation no-progress | no-violation-found | refused
// case 19 atexit-creates-thread: verified | no-violation-found
// case 20 atexit-crash: violation crash
// case 21 main-leaves-threads: verified
// case 22 main-pthread-exit: verified
// case 23 key-destructor-crash: violation crash
// case 24 key-destructor-again: verified
// case 25 cancel-self: verified
// case 26 cancel-garbage: violation misuse
// case 27 unlock-not-locked: violation misuse
// case 28 destroy-locked: violation misuse
// case 29 self-deadlock: violation deadlock | violation misuse
// case 30 wait-for-nobody: violation deadlock
// case 31 barrier-alone: violation deadlock
// case 32 semaphore-never: violation deadlock
// case 33 spin-for-ever: violation no-progress | violation livelock | violation deadlock | no-violation-found
// case 34 loop-for-ever: violation no-progress
// case 35 thread-local-after-end: violation memory
// case 36 keys-all: verified
// case 37 keys-too-many: verified
// case 38 recursive-create: refused | no-violation-found
// case 39 once-recursive: violation deadlock | violation misuse
// case 40 unlock-by-other: violation misuse
// case 41 cond-without-mutex: violation misuse
// case 42 routine-null: violation crash
// case 43 stack-returned: violation memory
// case 44 setjmp-out-of-thread: violation crash
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static volatile int never;
static int *volatile of_thread;
static jmp_buf there;
static __thread int own;

static void *nothing(void *arg) { return arg; }
static pthread_t start(void *(*f)(void *))
{
    pthread_t t;
    if (pthread_create(&t, NULL, f, NULL))
        abort();
    return t;
}
static int __attribute__((noinline)) deep(int n)
{
    volatile char room[128];
    room[0] = (char)n;
    return n == 0 ? room[0] : deep(n - 1) + room[0];
}
static void again(void) { atexit(again); }
static void threads_at_end(void) { pthread_join(start(nothing), NULL); }
static void crash(void) { *(volatile int *)8 = 1; }
static void crash_key(void *value) { *(volatile int *)value = 1; }
static void set_again(void *value) { pthread_setspecific(key, value); }
static void once_again(void) { pthread_once(&once, once_again); }
static void *makes(void *arg)
{
    start(makes);
    return arg;
}

static void work_1(void)
{
#if V == 7
    deep(1 << 30);
#elif V == 8
    deep(20000);
#elif V == 10
    pthread_join(pthread_self(), NULL);
#elif V == 14
    exit(3);
#elif V == 15
    exit(0);
#elif V == 16
    _exit(4);
#elif V == 17
    quick_exit(0);
#elif V == 22 || V == 21
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#elif V == 23
    pthread_setspecific(key, (void *)8);
#elif V == 24
    pthread_setspecific(key, &never);
#elif V == 25
    pthread_cancel(pthread_self());
    pthread_testcancel();
    abort();
#elif V == 27
    pthread_mutex_t *m = &mutex;
    pthread_mutex_unlock(m);
#elif V == 28
    pthread_mutex_lock(&mutex);
    pthread_mutex_destroy(&mutex);
#elif V == 29
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
#endif
}

static void work_2(void)
{
#if V == 30
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
#elif V == 31
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
#elif V == 32
    static sem_t sem;
    sem_init(&sem, 0, 0);
    sem_wait(&sem);
#elif V == 33
    while (!*(volatile int *)&never)
        ;
#elif V == 34
    volatile int mine = 1;
    while (mine)
        ;
#elif V == 35
    of_thread = &own;
#elif V == 39
    pthread_once(&once, once_again);
#elif V == 40
    pthread_mutex_unlock(&mutex);
#elif V == 41
    pthread_cond_wait(&cond, &mutex);
#elif V == 43
    volatile int mine = 1;
    of_thread = (int *)&mine;
#elif V == 44
    longjmp(there, 1);
#endif
}

static void *work(void *arg)
{
    work_1();
    work_2();
    return arg;
}

static int status;

/* Numbers and lives of threads, made by main.  0: the variant is none of these. */
static int many_threads(void)
{
    pthread_t t;
#if V <= 3
    static const int many[] = { 0, 64, 200, 300 };
    static pthread_t all[300];
    for (int i = 0; i < many[V]; i++)
        all[i] = start(nothing);
    for (int i = 0; i < many[V]; i++)
        pthread_join(all[i], NULL);
#elif V == 4
    for (int i = 0; i < 300; i++)
        pthread_join(start(nothing), NULL);
#elif V == 5 || V == 6
    static pthread_mutex_t all[V == 5 ? 4096 : 70000];
    pthread_join(start(nothing), NULL);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        pthread_mutex_init(&all[i], NULL);
        pthread_mutex_lock(&all[i]);
    }
#elif V == 9
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 400u << 20);
    if (pthread_create(&t, &attr, work, NULL))
        abort();
    pthread_join(t, NULL);
#elif V == 11
    t = start(work);
    pthread_join(t, NULL);
    pthread_join(t, NULL);
#elif V == 12
    pthread_join((pthread_t)0x1234, NULL);
#elif V == 13
    t = start(work);
    pthread_detach(t);
    pthread_detach(t);
#else
    return 0;
#endif
    return 1;
}

/* How the program ends, and what threads leave to it. */
static int ends(void)
{
#if V == 18
    atexit(again);
    pthread_join(start(work), NULL);
#elif V == 19
    atexit(threads_at_end);
    pthread_join(start(work), NULL);
#elif V == 20
    atexit(crash);
    pthread_join(start(work), NULL);
#elif V == 21
    start(work);
    start(work);
#elif V == 22
    start(work);
    pthread_exit(NULL);
#elif V == 26
    pthread_cancel((pthread_t)0x1234);
#elif V == 35 || V == 43
    pthread_join(start(work), NULL);
    status = *of_thread;
#elif V == 36 || V == 37
    pthread_key_t k;
    int made = 0;
    pthread_join(start(work), NULL);
    while (made < 5000 && pthread_key_create(&k, NULL) == 0)
        made++;
    if (made < 900 || made == 5000)
        abort();
#elif V == 38
    makes(NULL);
#elif V == 40
    pthread_mutex_lock(&mutex);
    pthread_join(start(work), NULL);
#elif V == 42
    pthread_join(start(NULL), NULL);
#elif V == 44
    if (setjmp(there) == 0)
        pthread_join(start(work), NULL);
#else
    return 0;
#endif
    return 1;
}

int main(void)
{
    if (many_threads() || ends())
        return status;
    pthread_key_create(&key, V == 23 ? crash_key : set_again);
    pthread_join(start(work), NULL);
    return 0;
}
