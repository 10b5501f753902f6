// An object is copied with the pthread_mutex_t in it, and the copy's is used.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

struct object {
    pthread_mutex_t lock;
    int value;
};

static void prepare(struct object *o) { pthread_mutex_init(&o->lock, NULL); }

static void change(struct object *o)
{
    pthread_mutex_lock(&o->lock); /* violation */
    o->value++;
    pthread_mutex_unlock(&o->lock);
}

int main(void)
{
    struct object object = { .value = 0 };
    prepare(&object);
    change(&object);
    struct object other = object;
    change(&other);
    return object.value != 1;
}
