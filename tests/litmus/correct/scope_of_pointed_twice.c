// expect: verified
// All that the pointer to a pointer leads to is in scope.
#include <pthread.h>

static void *work(void *unused)
{
    int **both, n;
    {
        int *p;
        {
            int v = 4;
            p = &v;
            both = &p;
            n = **both;
        }
    }
    return n == 4 ? unused : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
