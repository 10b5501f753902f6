/* Wronglock: RIGHT threads take the lock of the value to change it, WRONG threads a lock of their own,
 * which all of them share and which protects nothing here. */
#include <heddle.h>
#include <pthread.h>

#ifndef RIGHT
#define RIGHT 1
#endif
#ifndef WRONG
#define WRONG 10
#endif

static pthread_mutex_t of_value = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int value;

static void *right(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&of_value);
    int before = value; /* via 1 */
    value++;            /* via 2 */
    if (value != before + 1)
        heddle_target();
    pthread_mutex_unlock(&of_value);
    return NULL;
}

static void *wrong(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&other);
    value++; /* via 3 */
    pthread_mutex_unlock(&other);
    return NULL;
}

int main(void)
{
    pthread_t threads[RIGHT + WRONG];
    for (int i = 0; i < RIGHT; i++)
        pthread_create(&threads[i], NULL, right, NULL);
    for (int i = 0; i < WRONG; i++)
        pthread_create(&threads[RIGHT + i], NULL, wrong, NULL);
    for (int i = 0; i < RIGHT + WRONG; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
