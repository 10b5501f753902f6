// The copy of an object gets a sem_t of its own.
// expect: verified
#include <semaphore.h>
#include <stddef.h>

struct object {
    sem_t lock;
    int value;
};

static void prepare(struct object *o) { sem_init(&o->lock, 0, 1); }

static void change(struct object *o)
{
    sem_wait(&o->lock);
    o->value++;
    sem_post(&o->lock);
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
