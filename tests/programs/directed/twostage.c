/* TwoStage: STAGES threads write a value and, in a second critical section, what belongs to it;
 * CHECKS threads read the two in two sections and find them apart when they come in between. */
#include <heddle.h>
#include <pthread.h>

#ifndef STAGES
#define STAGES 7
#endif
#ifndef CHECKS
#define CHECKS 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER,
                       second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *stage(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&first_lock);
    first = 1; /* via 1 */
    pthread_mutex_unlock(&first_lock);
    pthread_mutex_lock(&second_lock);
    second = first + 1;
    pthread_mutex_unlock(&second_lock);
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&first_lock);
    int one = first; /* via 2 */
    pthread_mutex_unlock(&first_lock);
    if (one == 0)
        return NULL;
    pthread_mutex_lock(&second_lock);
    int two = second;
    pthread_mutex_unlock(&second_lock);
    if (two != one + 1)
        heddle_target();
    return NULL;
}

int main(void)
{
    pthread_t threads[STAGES + CHECKS];
    for (int i = 0; i < STAGES; i++)
        pthread_create(&threads[i], NULL, stage, NULL);
    for (int i = 0; i < CHECKS; i++)
        pthread_create(&threads[STAGES + i], NULL, check, NULL);
    for (int i = 0; i < STAGES + CHECKS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
