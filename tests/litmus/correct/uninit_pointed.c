// expect: verified
// The local gets its value through a pointer of the same function.
#include <pthread.h>

static void *work(void *unused)
{
    int v, *p = &v;
    *p = 5;
    return v == 5 ? unused : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
