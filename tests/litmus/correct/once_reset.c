// Whoever comes first in a round runs the function: the control is set back between the rounds.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int times;

static void prepare(void) { times++; }

static void *work(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

static void play(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}

int main(void)
{
    play();
    once = (pthread_once_t)PTHREAD_ONCE_INIT;
    play();
    assert(times == 2);
    return 0;
}
