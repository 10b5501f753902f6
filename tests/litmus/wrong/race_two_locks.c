// Both hold a mutex, but not the same one.
// expect: violation data-race
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static struct {
    long sum, pad;
} account;

static void *deposit(void *unused)
{
    pthread_mutex_lock(&m);
    account.sum += 10; /* race */
    pthread_mutex_unlock(&m);
    return unused;
}

static void *withdraw(void *unused)
{
    pthread_mutex_lock(&n);
    account.sum -= 10; /* race */
    pthread_mutex_unlock(&n);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, deposit, NULL);
    pthread_create(&b, NULL, withdraw, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
