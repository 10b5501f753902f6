// expect: verified
// The standard input is closed once, and not read.
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
    return 0;
}
