// The last user frees the object with its lock; the other one is still about to unlock it.
// expect: violation memory
// options: --races off
// also: --races off --reduce none => violation memory
// also: --races off --reduce source => violation memory
// also: --races off --reduce dpor => violation memory
// also: --races off --reduce not-seen => violation memory
#include <pthread.h>
#include <stdlib.h>

struct object {
    pthread_mutex_t lock;
    int done;
};

static void *finish(void *arg)
{
    struct object *o = arg;
    pthread_mutex_lock(&o->lock);
    o->done = 1;
    pthread_mutex_unlock(&o->lock); /* violation */
    return NULL;
}

static int is_done(struct object *o) { return __atomic_load_n(&o->done, __ATOMIC_SEQ_CST); }

int main(void)
{
    pthread_t t;
    struct object *o = malloc(sizeof *o);
    pthread_mutex_init(&o->lock, NULL);
    o->done = 0;
    pthread_create(&t, NULL, finish, o);
    if (is_done(o))
        free(o);
    pthread_join(t, NULL);
    return 0;
}
