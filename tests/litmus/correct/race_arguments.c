// What library functions read on behalf of the model is written before the thread exists that uses it.
// expect: verified
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static struct timespec for_sleep, for_lock, for_semaphore;
static pthread_attr_t attributes;
static pthread_mutexattr_t kind;
static char name[16] = "a";
static struct sigaction action;
static size_t bytes;

static void changes(void)
{
    for_sleep.tv_nsec = 1;
    for_lock.tv_nsec = 1;
    for_semaphore.tv_nsec = 1;
    pthread_attr_setstacksize(&attributes, 1 << 20);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    name[0] = 'b';
    action.sa_flags = SA_RESTART;
    bytes = 0;
}

static void *ends(void *unused) { return unused; }

static void *uses(void *unused)
{
    pthread_t u;
    pthread_mutex_t another;
    nanosleep(&for_sleep, NULL);
    pthread_mutex_timedlock(&mutex, &for_lock);
    sem_timedwait(&semaphore, &for_semaphore);
    pthread_create(&u, &attributes, ends, NULL);
    pthread_mutex_init(&another, &kind);
    pthread_setname_np(u, name);
    sigaction(SIGUSR1, &action, NULL);
    pthread_attr_t mine;
    pthread_attr_init(&mine);
    pthread_attr_getstacksize(&mine, &bytes);
    pthread_join(u, NULL);
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&semaphore, 0, 1);
    pthread_attr_init(&attributes);
    pthread_mutexattr_init(&kind);
    changes();
    pthread_create(&t, NULL, uses, NULL);
    pthread_join(t, NULL);
    return 0;
}
