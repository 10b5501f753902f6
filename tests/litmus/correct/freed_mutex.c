// The object is freed by the one who sees, under the lock, that the other is through with it.
// expect: verified
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int users;
};

static void *leave(void *arg)
{
    struct object *o = arg;
    pthread_mutex_lock(&o->lock);
    int users = --o->users;
    pthread_mutex_unlock(&o->lock);
    if (users == 0) {
        pthread_mutex_destroy(&o->lock);
        free(o);
    }
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    o->users = 2;
    pthread_create(&t, NULL, leave, o);
    leave(o);
    pthread_join(t, NULL);
    return 0;
}
