// expect: verified
// main closes the log when the thread that writes to it has ended.
#include <pthread.h>
#include <stdio.h>

static FILE *logged;

static void *work(void *unused)
{
    fprintf(logged, "working\n");
    return unused;
}

int main(void)
{
    pthread_t t;
    logged = fopen("/dev/null", "w");
    if (logged == NULL)
        return 0;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    fclose(logged);
    return 0;
}
