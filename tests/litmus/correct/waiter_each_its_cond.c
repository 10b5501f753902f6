// Each of two conditions has its own condition variable.
// expect: verified
#include <pthread.h>
#include <stddef.h>

struct event {
    pthread_cond_t changed;
    int ready;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct event odd_event = { PTHREAD_COND_INITIALIZER, 0 };
static struct event even_event = { PTHREAD_COND_INITIALIZER, 0 };

static void await(struct event *event)
{
    pthread_mutex_lock(&lock);
    while (!event->ready)
        pthread_cond_wait(&event->changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void announce(struct event *event)
{
    pthread_mutex_lock(&lock);
    event->ready = 1;
    pthread_cond_signal(&event->changed);
    pthread_mutex_unlock(&lock);
}

static void *odd(void *unused)
{
    await(&odd_event);
    announce(&even_event);
    return unused;
}

static void *even(void *unused)
{
    await(&even_event);
    return unused;
}

int main(void)
{
    pthread_t o, e;
    pthread_create(&o, NULL, odd, NULL);
    pthread_create(&e, NULL, even, NULL);
    announce(&odd_event);
    pthread_join(o, NULL);
    pthread_join(e, NULL);
    return 0;
}
