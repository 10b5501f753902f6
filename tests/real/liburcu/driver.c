/* userspace-rcu: a reader holds on to what it found until it leaves its critical section; the writer
 * replaces it, waits for a grace period and frees the old one.  With -DBUG it does not wait. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include FLAVOUR

struct pair {
    int a, b;
};

static struct pair *shared;

static struct pair *make(int value)
{
    struct pair *p = malloc(sizeof *p);
    assert(p);
    p->a = p->b = value;
    return p;
}

static void *read_pair(void *unused)
{
    rcu_register_thread();
    rcu_read_lock();
    struct pair *p = rcu_dereference(shared);
    int a = p->a;
    assert(a == p->b && (a == 1 || a == 2));
    rcu_read_unlock();
    rcu_unregister_thread();
    return unused;
}

int main(void)
{
    pthread_t reader;
    shared = make(1);
    pthread_create(&reader, NULL, read_pair, NULL);
    struct pair *old = rcu_xchg_pointer(&shared, make(2));
#ifndef BUG
    synchronize_rcu();
#endif
    free(old);
    pthread_join(reader, NULL);
    free(shared);
    return 0;
}
