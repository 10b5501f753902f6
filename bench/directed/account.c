// AccountSubtype(BUSINESS, PERSONAL): accounts that pay each other.  A personal one does so without the lock of
// the account that it pays to.  After the description in Noonan's thesis, 3.5.1 (a benchmark of IBM Haifa).
// Without an error: CORRECT.
#include <assert.h>
#include <pthread.h>

#ifndef BUSINESS
#define BUSINESS 1
#endif
#ifndef PERSONAL
#define PERSONAL 1
#endif
#define N (BUSINESS + PERSONAL)

static struct account {
    pthread_mutex_t lock;
    int amount, personal;
} accounts[N];

static void change(struct account *a, int by)
{
    pthread_mutex_lock(&a->lock);
    a->amount += by;
    pthread_mutex_unlock(&a->lock);
}

static void transfer(struct account *from, struct account *to, int by)
{
    change(from, -by);
#ifndef CORRECT
    if (from->personal) {
        to->amount += by;
        return;
    }
#endif
    change(to, by);
}

static void *use(void *arg)
{
    struct account *a = arg, *next = &accounts[(a - accounts + 1) % N];
    change(a, 300);
    change(a, -100);
    transfer(a, next, 99);
    return arg;
}

int main(void)
{
    pthread_t t[N];
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].amount = 100;
        accounts[i].personal = i >= BUSINESS;
    }
    for (int i = 0; i < N; i++)
        pthread_create(&t[i], NULL, use, &accounts[i]);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < N; i++)
        assert(accounts[i].amount == 300);
    return 0;
}
