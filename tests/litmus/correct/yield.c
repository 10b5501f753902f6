// sched_yield lets others run and changes nothing.
// expect: verified
// executions: 1
// (it depends on nothing)
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static void *work(void *unused)
{
    for (int i = 0; i < 3; i++)
        sched_yield();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
