// TwoStage(STAGES, READERS): two critical sections where one is needed.  A reader that comes between the two
// sees the first variable changed and the second one not.  After the description in Rungta and Mercer,
// "A meta heuristic for effectively detecting concurrency errors" (a benchmark of IBM Haifa).
#include <assert.h>
#include <pthread.h>

#ifndef STAGES
#define STAGES 2
#endif
#ifndef READERS
#define READERS 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *stage(void *arg)
{
    pthread_mutex_lock(&first_lock);
    first = 1; /* via 1 */
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    return arg;
}

static void *read_both(void *arg)
{
    pthread_mutex_lock(&first_lock);
    int one = first; /* via 2 */
    pthread_mutex_unlock(&first_lock);
    if (one == 0)
        return arg;
    pthread_mutex_lock(&second_lock);
    int two = second;
    pthread_mutex_unlock(&second_lock);
    assert(two == one + 1);
    return arg;
}

int main(void)
{
    pthread_t t[STAGES + READERS];
    for (int i = 0; i < STAGES; i++)
        pthread_create(&t[i], NULL, stage, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&t[STAGES + i], NULL, read_both, NULL);
    for (int i = 0; i < STAGES + READERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
