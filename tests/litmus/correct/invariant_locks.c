// The evaluation is no access of the program: it needs no lock, and races with nothing.
// expect: verified
// also: --strategy optimal => verified
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static int small(void) { return n < 3; }

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    heddle_invariant(small);
    pthread_create(&t, NULL, count, NULL);
    pthread_join(t, NULL);
    return 0;
}
