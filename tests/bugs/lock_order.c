/* Two transfers in opposite directions lock the accounts in opposite orders. */
// expect: violation deadlock
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct account {
    pthread_mutex_t lock;
    int money;
} accounts[2] = { { PTHREAD_MUTEX_INITIALIZER, 50 }, { PTHREAD_MUTEX_INITIALIZER, 50 } };

static void transfer(int from, int to, int sum)
{
    pthread_mutex_lock(&accounts[from].lock);
    pthread_mutex_lock(&accounts[to].lock);
    accounts[from].money -= sum;
    accounts[to].money += sum;
    pthread_mutex_unlock(&accounts[to].lock);
    pthread_mutex_unlock(&accounts[from].lock);
}

static void *there(void *unused)
{
    transfer(0, 1, 5);
    return unused;
}

static void *back(void *unused)
{
    transfer(1, 0, 7);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, there, NULL);
    pthread_create(&b, NULL, back, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(accounts[0].money + accounts[1].money == 100);
}
