// expect: violation crash
// A conversion writes its result to NULL.
#include <pthread.h>
#include <stdio.h>

static int *volatile result;

static void *scan(void *arg)
{
    sscanf("1 2", "%d", result); /* violation */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, scan, NULL);
    pthread_join(thread, NULL);
    return 0;
}
