// Every call has locks of its own, and leaves them locked when it returns.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int n;

__attribute__((noinline)) static void visit(void)
{
    pthread_mutex_t lock;
    pthread_spinlock_t spin;
    pthread_mutex_init(&lock, NULL);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    pthread_mutex_lock(&lock);
    pthread_spin_lock(&spin);
    __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
}

static void *work(void *unused)
{
    visit();
    visit();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    visit();
    visit();
    pthread_join(t, NULL);
    assert(n == 4);
    return 0;
}
