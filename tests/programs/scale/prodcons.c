/* The producer and consumer of SCALE's appendix A.5: a buffer of SIZE places guarded by two
 * semaphores built from a mutex and a condition variable, N items, the consumer in main.
 *
 * The consumer asserts at its start that nothing has been produced yet, which is wrong: the
 * producer may have run first.
 *
 *   -DN=1 -DSIZE=2      items, places
 *   -DNO_FIRST_ASSERT   without that wrong assertion */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 1
#endif
#ifndef SIZE
#define SIZE 2
#endif

struct gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
    int value;
    int open;
};

static void gate_init(struct gate *gate, int value)
{
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
    gate->value = value;
    gate->open = 0;
}

static void gate_release(struct gate *gate)
{
    pthread_mutex_destroy(&gate->lock);
    pthread_cond_destroy(&gate->opened);
}

static void gate_down(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    int value = gate->value - 1;
    gate->value = value;
    if (value < 0) {
        while (gate->open == 0)
            pthread_cond_wait(&gate->opened, &gate->lock);
        gate->open = 0;
    }
    pthread_mutex_unlock(&gate->lock);
}

static void gate_up(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    int value = gate->value + 1;
    gate->value = value;
    if (value <= 0) {
        gate->open = 1;
        pthread_cond_signal(&gate->opened);
    }
    pthread_mutex_unlock(&gate->lock);
}

static pthread_mutex_t mutex;
static struct gate items, spaces;
static unsigned fill;
static unsigned char buffer[SIZE];

static void *producer(void *unused)
{
    (void)unused;
    for (int i = 0; i < N; i++) {
        unsigned char item = (unsigned char)(i % 256);
        gate_down(&spaces);
        pthread_mutex_lock(&mutex);
        buffer[i % SIZE] = item;
        fill++;
        pthread_mutex_unlock(&mutex);
        gate_up(&items);
    }
    return NULL;
}

static void consumer(void)
{
#ifndef NO_FIRST_ASSERT
    assert(fill == 0);
#endif
    for (int i = 0; i < N; i++) {
        gate_down(&items);
        pthread_mutex_lock(&mutex);
        unsigned char item = buffer[i % SIZE];
        fill--;
        assert(item == (unsigned char)(i % 256));
        pthread_mutex_unlock(&mutex);
        gate_up(&spaces);
    }
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&mutex, NULL);
    gate_init(&items, 0);
    gate_init(&spaces, SIZE);
    pthread_create(&thread, NULL, producer, NULL);
    consumer();
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&mutex);
    gate_release(&items);
    gate_release(&spaces);
    return 0;
}
