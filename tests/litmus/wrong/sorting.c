// An array is sorted while another thread searches it.
// expect: violation data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static int numbers[3] = { 1, 3, 2 };

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b; /* race */
}

static void *work(void *unused)
{
    qsort(numbers, 3, sizeof *numbers, compare); /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    int three = 3;
    pthread_create(&t, NULL, work, NULL);
    assert(bsearch(&three, numbers, 3, sizeof *numbers, compare));
    pthread_join(t, NULL);
    return 0;
}
