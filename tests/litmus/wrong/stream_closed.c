// expect: violation memory
// main closes the log while a thread may still write to it.
#include <pthread.h>
#include <stdio.h>

static FILE *logged;

static void *work(void *unused)
{
    fprintf(logged, "working\n"); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    logged = fopen("/dev/null", "w");
    if (logged == NULL)
        return 0;
    pthread_create(&t, NULL, work, NULL);
    fclose(logged);
    pthread_join(t, NULL);
    return 0;
}
