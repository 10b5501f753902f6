/* "Bug inspect" of SCALE's appendix A.6: one thread adds 1 to x, the other doubles it, each
 * with a lock around the read and around the write but not around both.  From x = 2 the
 * results are 3, 4, 5 (doubled first, then incremented) and 6; the assertion excludes 5. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x = 2;
static pthread_mutex_t lock;

static int get(void)
{
    pthread_mutex_lock(&lock);
    int value = x;
    pthread_mutex_unlock(&lock);
    return value;
}

static void set(int value)
{
    pthread_mutex_lock(&lock);
    x = value;
    pthread_mutex_unlock(&lock);
}

static void *doubler(void *unused)
{
    (void)unused;
    set(get() * 2);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, doubler, NULL);
    set(get() + 1);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
    assert(x != 5);
    return 0;
}
