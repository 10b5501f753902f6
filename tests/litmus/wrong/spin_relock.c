// A thread spins for a lock that it holds.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;

static void *work(void *unused)
{
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
