// A thread waits for ever for work that nobody will give it, and the program ends: that is no error.
// expect: verified
#include <pthread.h>
#include <semaphore.h>

static sem_t work, done;
static int n;

static void *serve(void *unused)
{
    for (;;) {
        sem_wait(&work);
        n++;
        sem_post(&done);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    sem_init(&work, 0, 1);
    sem_init(&done, 0, 0);
    pthread_create(&t, 0, serve, 0);
    sem_wait(&done);
    return n - 1;
}
