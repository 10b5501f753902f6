// A semaphore is posted, and freed when the thread that waits for it has ended.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
// also: --strategy graph --memory sc => verified
// also: --memory rc11 => verified
// also: --memory tso => verified
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>
#include <stdlib.h>

static sem_t *go;

static void *work(void *unused)
{
    sem_wait(go);
    return unused;
}

int main(void)
{
    pthread_t thread;
    go = malloc(sizeof *go);
    sem_init(go, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_post(go);
    pthread_join(thread, NULL);
    free(go);
    return 0;
}
