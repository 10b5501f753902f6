// The copy of an object gets a pthread_cond_t of its own.
// expect: verified
#include <pthread.h>
#include <stddef.h>

struct object {
    pthread_cond_t lock;
    int value;
};

static void prepare(struct object *o) { pthread_cond_init(&o->lock, NULL); }

static void change(struct object *o)
{
    pthread_cond_signal(&o->lock);
    o->value++;
}

int main(void)
{
    struct object object = { .value = 0 };
    prepare(&object);
    change(&object);
    struct object other = object;
    prepare(&other);
    change(&other);
    return object.value != 1;
}
