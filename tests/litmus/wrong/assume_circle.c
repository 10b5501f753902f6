// Two threads wait for each other's lock, which they do for ever: the circle is there before the third
// thread's assumption fails, or after it was made.
// expect: violation deadlock
// also: --strategy optimal => violation deadlock
// also: --strategy stateful => violation deadlock
// also: --strategy brute => violation deadlock
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *ab(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return unused;
}

static void *ba(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, ab, NULL);
    pthread_create(&threads[1], NULL, ba, NULL);
    heddle_assume(x == 1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
