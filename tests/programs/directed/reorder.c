/* Reorder: SETTERS threads write two variables one after the other, CHECKERS threads read both and
 * find one written and the other not.  One setter is enough; the others are in the way. */
#include <heddle.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 5
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

static _Atomic int a, b;

static void *set(void *arg)
{
    (void)arg;
    a = 1; /* via 1 */
    b = -1;
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    int first = a;  /* via 2 */
    int second = b; /* via 3 */
    if (!((first == 0 && second == 0) || (first == 1 && second == -1)))
        heddle_target();
    return NULL;
}

int main(void)
{
    pthread_t threads[SETTERS + CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&threads[i], NULL, set, NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&threads[SETTERS + i], NULL, check, NULL);
    for (int i = 0; i < SETTERS + CHECKERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
