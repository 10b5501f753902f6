/* Transfers between accounts lock both of them.  With -DFIXED always in the same order. */
#include <pthread.h>

static struct account {
    pthread_mutex_t lock;
    int money;
} accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 10 }, { PTHREAD_MUTEX_INITIALIZER, 10 } };

static void transfer(struct account *from, struct account *to)
{
    struct account *first = from, *second = to;
#ifdef FIXED
    if (first > second) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->money--;
    to->money++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *there(void *unused)
{
    transfer(&accounts[0], &accounts[1]);
    return unused;
}

static void *back(void *unused)
{
    transfer(&accounts[1], &accounts[0]);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
