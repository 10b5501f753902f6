// Slices through calls, locks and waiting.  A line marked "in" belongs to the slice of the target,
// one marked "out" does not.
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int value, flag, noise, go;

static int twice(int n)
{
    noise++;      /* out */
    return n * 2; /* in */
}

static void checked(int n)
{
    if (n < 0)   /* in */
        exit(3); /* in */
    noise += n;  /* out */
}

static void (*act)(int) = checked;

static void *producer(void *arg)
{
    pthread_mutex_lock(&other);   /* out */
    noise = 7;                    /* out */
    pthread_mutex_unlock(&other); /* out */
    pthread_mutex_lock(&m);       /* in */
    value = twice(4);             /* in */
    flag = 1;                     /* in */
    pthread_cond_signal(&ready);  /* in */
    pthread_mutex_unlock(&m);     /* in */
    return arg;
}

static void *consumer(void *arg)
{
    int seen;
    act(1);                          /* in */
    while (!__atomic_load_n(&go, 5)) /* in */
        ;
    pthread_mutex_lock(&m);            /* in */
    while (!flag)                      /* in */
        pthread_cond_wait(&ready, &m); /* in */
    seen = value;                      /* in */
    pthread_mutex_unlock(&m);          /* in */
    if (seen == 8)                     /* in */
        heddle_target();               /* target */
    noise = seen;                      /* out */
    return arg;
}

int main(void)
{
    pthread_t p, c;
    noise = 1;                          /* out */
    pthread_create(&p, 0, producer, 0); /* in */
    pthread_create(&c, 0, consumer, 0); /* in */
    __atomic_store_n(&go, 1, 5);        /* in */
    pthread_join(p, 0);                 /* out */
    pthread_join(c, 0);                 /* out */
    return 0;
}
