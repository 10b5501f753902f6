// Every decrement releases, the last one acquires what all others released.
// expect: verified
// orders: weak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int users;
    int value;
};

static void *use(void *arg)
{
    struct object *object = arg;
    int value = object->value;
    if (atomic_fetch_sub_explicit(&object->users, 1, memory_order_acq_rel) == 1)
        free(object);
    return value ? NULL : arg;
}

int main(void)
{
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    object->users = 2;
    object->value = 1;
    pthread_create(&a, 0, use, object);
    pthread_create(&b, 0, use, object);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
