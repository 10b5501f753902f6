// expect: verified
// Everything has been printed when the standard output is closed.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
    printf("hello\n");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    fclose(stdout);
    return 0;
}
