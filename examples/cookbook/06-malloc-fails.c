/* What if malloc fails?  Checked with --faults malloc.  With -DFIXED its result is
 * looked at. */
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    int *numbers = malloc(4 * sizeof *numbers);
#ifdef FIXED
    if (!numbers)
        return unused;
#endif
    numbers[0] = 1;
    free(numbers);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
}
