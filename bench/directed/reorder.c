// Reorder(SETTERS, CHECKERS): setters write two variables one after the other, a checker that reads both
// in between sees what should not be.  After the description in Rungta and Mercer, "A meta heuristic for
// effectively detecting concurrency errors", and Noonan's thesis, 3.5.1.
#include <assert.h>
#include <pthread.h>

#ifndef SETTERS
#define SETTERS 1
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

static int a, b;

static void *set(void *arg)
{
    a = 1; /* via 1 */
    b = -1;
    return arg;
}

static void *check(void *arg)
{
    int x = a; /* via 2 */
    int y = b; /* via 3 */
    assert((x == 0 && y == 0) || (x == 1 && y == -1));
    return arg;
}

int main(void)
{
    pthread_t t[SETTERS + CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&t[i], NULL, set, NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&t[SETTERS + i], NULL, check, NULL);
    for (int i = 0; i < SETTERS + CHECKERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
