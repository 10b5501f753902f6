// qsort, qsort_r and bsearch with call-backs of the program.
// expect: verified
#define _GNU_SOURCE
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

static int by_sign(const void *a, const void *b, void *sign)
{
    return *(int *)sign * ascending(a, b);
}

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    qsort(numbers, 4, sizeof *numbers, descending);
    assert(numbers[0] == 4 && numbers[3] == 1);
    int sign = 1, own[3] = { 5, 7, 6 };
    qsort_r(numbers, 4, sizeof *numbers, by_sign, &sign);
    assert(numbers[0] == 1 && numbers[1] == 2 && numbers[3] == 4);
    sign = -1;
    qsort_r(own, 3, sizeof *own, by_sign, &sign);
    assert(own[0] == 7 && own[1] == 6 && own[2] == 5);
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
