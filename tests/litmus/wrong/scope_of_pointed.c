// expect: violation memory
// A local is read through a pointer after the block that declares it, in the same function.
#include <pthread.h>

static void *work(void *unused)
{
    int *p;
    {
        int v = 3;
        p = &v;
        *p = 1;
    }
    return *p == 1 ? unused : NULL; /* violation */
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
