// A semaphore is posted and freed, and the thread that waits for it may not have come so far.
// expect: violation memory
// also: --strategy optimal => violation memory
// also: --strategy stateful => violation memory
// also: --strategy graph --memory sc => violation memory
// also: --memory rc11 => violation memory
// also: --memory tso => violation memory
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

static sem_t *go;

static void *work(void *unused)
{
    sem_wait(go); /* violation */
    return unused;
}

int main(void)
{
    pthread_t thread;
    go = malloc(sizeof *go);
    sem_init(go, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_post(go);
    free(go);
    pthread_join(thread, NULL);
    return 0;
}
