// A failed trylock orders nothing, but here nothing rests on it: accesses are ordered by a mutex, by
// the creation of threads or by joining them, which a search over states can tell.
// expect: verified
// options: --strategy stateful
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter, table[2], results[2];

static void *nested(void *arg)
{
    int *local = arg;
    *local += table[1];
    return 0;
}

static void *work(void *arg)
{
    int me = *(int *)arg, local = me;
    pthread_t t;
    pthread_create(&t, 0, nested, &local);
    if (pthread_mutex_trylock(&lock) != 0)
        pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    results[me] = local;
    return 0;
}

int main(void)
{
    pthread_t t[2];
    int numbers[2] = { 0, 1 };
    table[1] = 5;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    table[1] = 0;
    assert(counter == 2 && results[0] == 5 && results[1] == 6);
    return 0;
}
