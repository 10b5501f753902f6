// expect: violation memory
// An array is read through a pointer after the block that declares it.
#include <pthread.h>

static void *work(void *unused)
{
    int *p;
    {
        int v[3] = { 3, 1, 2 };
        p = v;
    }
    return p[1] == 1 ? unused : NULL; /* violation */
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
