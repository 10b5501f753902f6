// A condition variable among the variables of a function, in two calls: each has its own.
// expect: verified
#include <pthread.h>
#include <stddef.h>

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int there;
};

static void *come(void *arg)
{
    struct meeting *m = arg;
    pthread_mutex_lock(&m->lock);
    m->there = 1;
    pthread_cond_signal(&m->changed);
    pthread_mutex_unlock(&m->lock);
    return NULL;
}

__attribute__((noinline)) static void meet(struct meeting m)
{
    pthread_t t;
    pthread_create(&t, NULL, come, &m);
    pthread_mutex_lock(&m.lock);
    while (!m.there)
        pthread_cond_wait(&m.changed, &m.lock);
    pthread_mutex_unlock(&m.lock);
    pthread_join(t, NULL);
}

int main(void)
{
    struct meeting m = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
    meet(m);
    meet(m);
    return 0;
}
