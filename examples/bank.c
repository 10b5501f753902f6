/* Two transfers at once.
 *
 *     heddle check examples/bank.c                                 an account's update is lost
 *     heddle check --cc-flags -DLOCK_EACH examples/bank.c          a deadlock
 *     heddle check --cc-flags '-DLOCK_EACH -DIN_ORDER' examples/bank.c   verified */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *from, struct account *to, int amount)
{
#ifdef LOCK_EACH
    struct account *first = from, *second = to;
#ifdef IN_ORDER
    if (from > to) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
#endif
    from->balance -= amount;
    to->balance += amount;
#ifdef LOCK_EACH
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
#endif
}

static void *there(void *unused)
{
    transfer(&alice, &bob, 10);
    return unused;
}

static void *back(void *unused)
{
    transfer(&bob, &alice, 25);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, there, NULL);
    pthread_create(&u, NULL, back, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(alice.balance == 115 && bob.balance == 85);
    return 0;
}
