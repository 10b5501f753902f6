// expect: violation memory
// The standard input is read after it was closed.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
    fclose(stdin);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    getchar(); /* violation */
    return 0;
}
