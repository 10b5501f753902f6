// expect: verified
// The pointer leads to one of two locals, and to the outer one when the scope of the inner has ended.
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
        if (p == &inner)
            p = &outer;
    }
    return *p == 0 ? unused : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
