// Whoever does not get the spinlock works all the same, and gives it back.
// expect: violation assertion data-race misuse
// options: --keep-going
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t lock;
static int inside;

static void *work(void *unused)
{
    pthread_spin_trylock(&lock);
    assert(inside == 0);
    inside = 1;
    inside = 0;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
