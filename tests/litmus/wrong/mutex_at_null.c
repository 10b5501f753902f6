// Nobody looks whether there was memory for the lock: the program crashes at the object, in a replay as
// in the run that found it.
// expect: violation crash
// options: --faults malloc
#include <pthread.h>
#include <stdlib.h>

struct counter {
    pthread_mutex_t lock;
    int n;
};

static void *count(void *arg)
{
    struct counter *c = arg;
    pthread_mutex_lock(&c->lock);
    c->n++;
    pthread_mutex_unlock(&c->lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct counter *c = malloc(sizeof *c);
    pthread_mutex_init(&c->lock, NULL); /* violation */
    c->n = 0;
    pthread_create(&t, NULL, count, c);
    count(c);
    pthread_join(t, NULL);
    free(c);
    return 0;
}
