// qsort and bsearch with call-backs of the program.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int numbers[4] = { 4, 2, 3, 1 };

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int descending(const void *a, const void *b) { return ascending(b, a); }

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    qsort(numbers, 4, sizeof *numbers, descending);
    assert(numbers[0] == 4 && numbers[3] == 1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    qsort(numbers, 4, sizeof *numbers, ascending);
    int key = 3;
    int *found = bsearch(&key, numbers, 4, sizeof *numbers, ascending);
    assert(found == &numbers[2]);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
