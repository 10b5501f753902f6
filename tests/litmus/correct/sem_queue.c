// A queue of two slots between two threads.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t items, room;
static int slot[2], in, out;

static void *producer(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        sem_wait(&room);
        slot[in++ % 2] = i;
        sem_post(&items);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 1; i <= 3; i++) {
        sem_wait(&items);
        assert(slot[out++ % 2] == i);
        sem_post(&room);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&items, 0, 0);
    sem_init(&room, 0, 2);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
