// What library functions read on behalf of the model is the program's memory: another thread must not
// write it meanwhile.
// expect: violation data-race
// options: --keep-going
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

static void *changes(void *unused)
{
    for_sleep.tv_nsec = 1;                                     /* race */
    for_lock.tv_nsec = 1;                                      /* race */
    for_semaphore.tv_nsec = 1;                                 /* race */
    pthread_attr_setstacksize(&attributes, 1 << 20);           /* race */
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE); /* race */
    name[0] = 'b';                                             /* race */
    action.sa_flags = SA_RESTART;                              /* race */
    bytes = 0;                                                 /* race */
    return unused;
}

static void *ends(void *unused) { return unused; }

int main(void)
{
    pthread_t t, u;
    pthread_mutex_t another;
    sem_init(&semaphore, 0, 1);
    pthread_attr_init(&attributes);
    pthread_mutexattr_init(&kind);
    pthread_create(&t, NULL, changes, NULL);
    nanosleep(&for_sleep, NULL);                 /* race */
    pthread_mutex_timedlock(&mutex, &for_lock);  /* race */
    sem_timedwait(&semaphore, &for_semaphore);   /* race */
    pthread_create(&u, &attributes, ends, NULL); /* race */
    pthread_mutex_init(&another, &kind);         /* race */
    pthread_setname_np(u, name);                 /* race */
    sigaction(SIGUSR1, &action, NULL);           /* race */
    pthread_attr_t mine;
    pthread_attr_init(&mine);
    pthread_attr_getstacksize(&mine, &bytes); /* race */
    pthread_join(u, NULL);
    pthread_join(t, NULL);
    return 0;
}
