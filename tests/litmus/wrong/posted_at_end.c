// A thread waits for a variable and ends, and with it the semaphore on its stack.  It is posted after that.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --memory rc11 => violation data-race
// also: --strategy stateful => violation memory
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t *_Atomic ready;
static atomic_int done;

static void *work(void *unused)
{
    sem_t own;
    sem_init(&own, 0, 0);
    ready = &own;
    while (!done)
        ;
    pthread_exit(unused);
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!ready)
        ;
    sem_t *posted = ready;
    done = 1;
    sem_post(posted);
    pthread_join(t, NULL);
    return 0;
}
