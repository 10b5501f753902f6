// expect: violation memory
// A local without a value is read through a pointer of the same function.
#include <pthread.h>

static void *work(void *unused)
{
    int v, *p = &v;
    return *p == 5 ? unused : NULL; /* violation */
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
