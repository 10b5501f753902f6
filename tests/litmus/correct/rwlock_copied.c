// The copy of an object gets a pthread_rwlock_t of its own.
// expect: verified
#include <pthread.h>
#include <stddef.h>

struct object {
    pthread_rwlock_t lock;
    int value;
};

static void prepare(struct object *o) { pthread_rwlock_init(&o->lock, NULL); }

static void change(struct object *o)
{
    pthread_rwlock_wrlock(&o->lock);
    o->value++;
    pthread_rwlock_unlock(&o->lock);
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
