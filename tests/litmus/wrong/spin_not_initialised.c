// A spinlock is used before pthread_spin_init.
// expect: violation misuse
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;

static void *work(void *unused)
{
    pthread_spin_lock(&lock); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
