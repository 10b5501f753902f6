// Plain accesses of atomic variables.  HOW=1: after a join, while another thread lives, then read by
// a new thread.  HOW=2: three threads in a critical section, 3! orders.  HOW=3: beside an atomic
// store, a race.  HOW=4: atomic_init beside a load, a race.
// case: HOW=1 => verified; 1
// case: HOW=2 => verified; 6
// case: HOW=3 => violation data-race
// case: HOW=4 => violation data-race
#include "orders.h"

#define relaxed memory_order_relaxed
#define plain(object) (*(int *)&(object))

static atomic_int x, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((unused)) void *live(void *unused)
{
    store(other, 1, relaxed);
    return unused;
}

static __attribute__((unused)) void *set(void *unused)
{
    store(x, 1, relaxed);
    return unused;
}

static __attribute__((unused)) void *look(void *unused)
{
    assert(load(x, relaxed) == 9);
    store(x, 10, relaxed);
    return unused;
}

static __attribute__((unused)) void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    plain(x) += 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

static __attribute__((unused)) void *add_atomically(void *unused)
{
    pthread_mutex_lock(&lock);
    int value = load(x, relaxed);
    assert(plain(x) == value);
    store(x, value + 1, relaxed);
    assert(plain(x) == value + 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

static __attribute__((unused)) void *write(void *unused)
{
    plain(x) = 2;
    return unused;
}

static __attribute__((unused)) void *init(void *unused)
{
    atomic_init(&x, 5);
    return unused;
}

static __attribute__((unused)) void *read(void *unused)
{
    (void)load(x, relaxed);
    return unused;
}

int main(void)
{
#if HOW == 1
    pthread_t thread;
    pthread_create(&thread, NULL, live, NULL);
    run(set);
    plain(x) = 9;
    run(look);
    assert(plain(x) == 10);
    pthread_join(thread, NULL);
#elif HOW == 2
    run(add, add_atomically, add);
    assert(x == 3);
#elif HOW == 3
    run(set, write);
#else
    run(init, read);
#endif
}
