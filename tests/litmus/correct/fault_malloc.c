// Every call that allocates may fail, and each failure is met.  Three calls of each of two threads may
// fail together (after a failing calloc there are no others): all is explored when six may.
// expect: verified
// options: --faults malloc:6
// also: --faults malloc:6 --reduce dpor => verified
// also: --faults malloc:6 --reduce not-seen => verified
// also: --faults malloc:5 => no-violation-found
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused)
{
    void *aligned = NULL;
    int *numbers = calloc(2, sizeof *numbers);
    if (!numbers) {
        assert(errno == ENOMEM);
        return unused;
    }
    int *more = realloc(numbers, 4 * sizeof *numbers);
    if (more)
        numbers = more; /* otherwise the old block is still there */
    int status = posix_memalign(&aligned, 64, 64);
    assert(status == 0 || (status == ENOMEM && !aligned));
    char *block = aligned_alloc(32, 32);
    pthread_mutex_lock(&lock);
    sum += numbers[0] + numbers[1] + (block != NULL);
    pthread_mutex_unlock(&lock);
    free(block);
    free(aligned);
    free(numbers);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(sum >= 0 && sum <= 2);
    return 0;
}
