/* AccountSubtype: every thread puts money on its account, takes some, and transfers some to the next
 * one.  BUSINESS accounts lock both accounts of a transfer, PERSONAL ones their own only: the other's
 * balance can lose an update.  main finds it out.  With -DRIGHT personal accounts do as they should. */
#include <heddle.h>
#include <pthread.h>

#ifndef BUSINESS
#define BUSINESS 4
#endif
#ifndef PERSONAL
#define PERSONAL 1
#endif
#define N (BUSINESS + PERSONAL)

static struct account {
    pthread_mutex_t lock;
    _Atomic int balance;
    int personal;
} accounts[N];

static void add(struct account *a, int amount)
{
    int balance = a->balance; /* two steps, as in the program this is after */
    a->balance = balance + amount;
}

static void deposit(struct account *a, int amount)
{
    pthread_mutex_lock(&a->lock);
    add(a, amount);
    pthread_mutex_unlock(&a->lock);
}

static void transfer_both(struct account *from, struct account *to, int amount)
{
    struct account *low = from < to ? from : to, *high = from < to ? to : from;
    pthread_mutex_lock(&low->lock);
    pthread_mutex_lock(&high->lock);
    add(from, -amount);
    add(to, amount);
    pthread_mutex_unlock(&high->lock);
    pthread_mutex_unlock(&low->lock);
}

static void transfer_own(struct account *from, struct account *to, int amount)
{
    pthread_mutex_lock(&from->lock);
    add(from, -amount);
    add(to, amount); /* the other's lock is not held */
    pthread_mutex_unlock(&from->lock);
}

static void *manage(void *arg)
{
    struct account *mine = arg, *next = &accounts[(mine - accounts + 1) % N];
    deposit(mine, 300);
    deposit(mine, -100);
#ifndef RIGHT
    if (mine->personal) {
        transfer_own(mine, next, 99);
        return NULL;
    }
#endif
    transfer_both(mine, next, 99);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    for (int i = 0; i < N; i++) {
        pthread_mutex_init(&accounts[i].lock, NULL);
        accounts[i].personal = i >= BUSINESS;
    }
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, manage, &accounts[i]);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N; i++)
        if (accounts[i].balance != 200)
            heddle_target();
    return 0;
}
