/* A test for heddle: threads that do something, and what must hold afterwards.
 *
 *     heddle check test_counter.c             every interleaving
 *     heddle check -DBUG test_counter.c       the same with a bug, to see a report
 *
 * Keep tests small: two or three threads, two or three operations each. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *unused)
{
#ifndef BUG
    pthread_mutex_lock(&lock);
#endif
    counter++;
#ifndef BUG
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
