// A recursive lock among the variables of a function, then a normal one at the same address.
// expect: violation misuse
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

__attribute__((noinline)) static void visit(pthread_mutex_t lock)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock); /* violation */
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    visit((pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP);
    visit((pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
