// Two locks in opposite order, while a third thread goes on: the program allows this deadlock, which is
// judged when nobody can move, and not when the two threads come to wait for each other.
// expect: verified
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int allowed(void) { return done == 1; }

static void *take_both(void *backwards)
{
    pthread_mutex_t *first = backwards ? &b : &a, *second = backwards ? &a : &b;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second); /* inverted */
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

static void *work(void *unused)
{
    done = 1;
    return unused;
}

int main(void)
{
    pthread_t x, y, z;
    heddle_allow_deadlock(allowed);
    pthread_create(&x, NULL, take_both, NULL);
    pthread_create(&y, NULL, take_both, &a);
    pthread_create(&z, NULL, work, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    pthread_join(z, NULL);
}
