// expect: violation memory
// Only where the other thread is late has the function returned when its local is used.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int steps;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *x)
{
    *(int *)x = 1; /* violation */
    return NULL;
}

static void start(pthread_t *t)
{
    int x = 0;
    pthread_create(t, NULL, work, &x);
    pthread_mutex_lock(&m);
    steps++;
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_mutex_lock(&m);
    steps++;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
