// An object is copied with the pthread_cond_t in it, and the copy's is used.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

struct object {
    pthread_cond_t lock;
    int value;
};

static void prepare(struct object *o) { pthread_cond_init(&o->lock, NULL); }

static void change(struct object *o)
{
    pthread_cond_signal(&o->lock); /* violation */
    o->value++;
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
