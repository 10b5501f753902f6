// expect: verified
// The function returns when the other thread has said that it is through.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int through;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *work(void *x)
{
    pthread_mutex_lock(&m);
    *(int *)x = 1;
    through = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void start(pthread_t *t)
{
    int x = 0;
    pthread_create(t, NULL, work, &x);
    pthread_mutex_lock(&m);
    while (!through)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
}

int main(void)
{
    pthread_t t;
    start(&t);
    pthread_join(t, NULL);
    return 0;
}
