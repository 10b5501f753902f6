/* The non-blocking array queue of SCALE's appendix A.1: one producer (a thread of its own),
 * one consumer (main), N items through a ring of N places.
 *
 * Compare-and-swap is a critical section under one mutex, as in the thesis, so every step of
 * it is visible.  The consumer reads a place, then looks whether the queue is empty: when two
 * items arrive in between it takes its stale empty place for another consumer's work, and
 * skips the first.
 *
 *   -DN=2         items and places
 *   -DNO_ASSERT   without the assertion on the order of items (to count states) */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef N
#define N 2
#endif

struct place {
    int *item;
    unsigned version;
};

static struct place ring[N];
static unsigned front, rear;
static pthread_mutex_t swap_lock;

static int swap_place(struct place *at, const struct place *expected, const struct place *wanted)
{
    int done = 0;
    pthread_mutex_lock(&swap_lock);
    if (at->item == expected->item && at->version == expected->version) {
        at->item = wanted->item;
        at->version = wanted->version;
        done = 1;
    }
    pthread_mutex_unlock(&swap_lock);
    return done;
}

static void advance(unsigned *index, unsigned from)
{
    pthread_mutex_lock(&swap_lock);
    if (*index == from)
        *index = from + 1;
    pthread_mutex_unlock(&swap_lock);
}

static void enqueue(int *item)
{
    for (;;) {
        unsigned at = rear;
        struct place seen;
        seen.item = ring[at % N].item;
        seen.version = ring[at % N].version;
        if (at != rear)
            continue;
        if (at == front + N)
            continue;
        if (seen.item == NULL) {
            struct place full = { item, seen.version + 1 };
            if (swap_place(&ring[at % N], &seen, &full)) {
                advance(&rear, at);
                return;
            }
        } else {
            advance(&rear, at);
        }
    }
}

static int *dequeue(void)
{
    for (;;) {
        unsigned at = front;
        struct place seen;
        seen.item = ring[at % N].item;
        seen.version = ring[at % N].version;
        if (at != front)
            continue;
        if (at == rear)
            continue;
        if (seen.item != NULL) {
            struct place empty = { NULL, seen.version + 1 };
            if (swap_place(&ring[at % N], &seen, &empty)) {
                advance(&front, at);
                return seen.item;
            }
        } else {
            advance(&front, at);
        }
    }
}

static void *producer(void *unused)
{
    static int items[N];
    (void)unused;
    for (int i = 0; i < N; i++) {
        items[i] = i;
        enqueue(&items[i]);
    }
    return NULL;
}

static void consumer(void)
{
    for (int i = 0; i < N; i++) {
        int *item = dequeue();
#ifdef NO_ASSERT
        (void)*(volatile int *)item;
#else
        assert(*item == i);
#endif
    }
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&swap_lock, NULL);
    pthread_create(&thread, NULL, producer, NULL);
    consumer();
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&swap_lock);
    return 0;
}
