/* A thread makes the thread whose write races with main's.  DPOR cannot run the late writer before main's write at once: it
 * lets the other thread begin first, and finds on that way that it has to go further.  A search that leaves the way where it
 * has seen the same happens-before graph before does not find that: docs/scale.md. */
#include <heddle.h>
#include <pthread.h>

static _Atomic int x;

static void *writes(void *unused)
{
    x = 2;
    return unused;
}

static void *makes(void *unused)
{
    pthread_t late;
    pthread_create(&late, NULL, writes, NULL);
    pthread_join(late, NULL);
    return unused;
}

int main(void)
{
    pthread_t maker;
    pthread_create(&maker, NULL, makes, NULL);
    x = 1;
    pthread_join(maker, NULL);
    int last = x;
    heddle_observe(&last, sizeof last);
}
