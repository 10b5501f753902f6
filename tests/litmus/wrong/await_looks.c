// The same locks in a program that forgets to unlock: the thread that waits in a function of its own waits for ever.
// expect: violation deadlock
// also: --strategy optimal => violation deadlock
// also: --strategy stateful => violation deadlock
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

static atomic_int lock;
static int count;

static bool try_lock(atomic_int *word) { return atomic_exchange(word, 1) == 0; /* violation */ }

static void *user(void *unused)
{
    while (!try_lock(&lock))
        ;
    count++;
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, user, NULL);
    pthread_create(&two, NULL, user, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
