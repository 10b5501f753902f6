// expect: verified
// The array lives as long as the pointer.
#include <pthread.h>

static void *work(void *unused)
{
    int *p, v[3] = { 3, 1, 2 };
    {
        p = v;
    }
    return p[1] == 1 ? unused : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
