/* SharedVar (Rungta and Mercer, ICSE 2010, Table 1): three threads work on two shared variables.
 *   -DV=0  the error cannot be reached
 *   -DV=1  the thread `decide` reaches it alone
 *   -DV=2  `decide` and one of the others reach it together
 * -DROUNDS: how often the two others work. */
#include <heddle.h>
#include <pthread.h>

#ifndef V
#define V 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x, y = 1;

static int read_locked(const int *variable)
{
    pthread_mutex_lock(&lock);
    int value = *variable;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *decide(void *arg)
{
    (void)arg;
    int seen = read_locked(&x);
#if V == 0
    if (seen < 0) /* nobody makes it negative */
#elif V == 1
    if (seen >= 0)
#else
    if (seen == 1 && read_locked(&y) == 1) /* `up` has begun and not ended */
#endif
        heddle_target();
    return NULL;
}

static void *up(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        x++;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        y++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

static void *aside(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        y += 2;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, decide, NULL);
    pthread_create(&threads[1], NULL, up, NULL);
    pthread_create(&threads[2], NULL, aside, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
