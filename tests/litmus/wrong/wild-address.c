// expect: violation crash
// No address of any memory: the processor does not say which it was.
#include <pthread.h>

static int *volatile wild = (int *)0x6c756e2800636261;

static void *work(void *arg)
{
    *wild = 1; /* violation */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
