// Two threads wait for an element, and one comes: the other thread waits for ever, which is allowed
// because no element is left.  But the signal comes before the element: a thread may wait next to it.
// expect: violation deadlock
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int n;

static int allowed(void) { return n == 0; }

static void *take(void *unused)
{
    pthread_mutex_lock(&m);
    while (n == 0)
        pthread_cond_wait(&filled, &m); /* violation */
    n--;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t x, y;
    heddle_allow_deadlock(allowed);
    pthread_create(&x, NULL, take, NULL);
    pthread_create(&y, NULL, take, NULL);
    pthread_cond_signal(&filled); /* lost */
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
}
