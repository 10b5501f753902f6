// The last of seventy threads breaks when it sees that the first has run.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define THREADS 70

static int first_ran;

static void *first(void *unused)
{
    first_ran = 1;
    return unused;
}

static void *other(void *unused) { return unused; }

static void *last(void *unused)
{
    assert(!first_ran); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t[THREADS];
    pthread_create(&t[0], NULL, first, NULL);
    for (int i = 1; i < THREADS - 1; i++)
        pthread_create(&t[i], NULL, other, NULL);
    pthread_create(&t[THREADS - 1], NULL, last, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
