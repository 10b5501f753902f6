// expect: violation memory
// Another thread allocates, and publishes the block before it is written: whoever comes between reads nothing.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *published;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&m);
    if (published && *published) /* violation */
        puts("seen");
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int *block = malloc(sizeof *block);
    pthread_mutex_lock(&m);
    published = block;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    *block = 1;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
