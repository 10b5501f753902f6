// expect: violation memory
// The pointer leads to one of two locals; the scope of the one that it leads to has ended.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int which = 1;

static void *work(void *unused)
{
    int outer = 0, *p;
    {
        int inner = 3;
        p = which ? &inner : &outer;
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
