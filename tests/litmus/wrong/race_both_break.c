// Whichever of the two comes first breaks the program at once: neither order shows both accesses.
// expect: violation assertion data-race
// options: --keep-going
// also: --keep-going --reduce none => violation assertion data-race
// also: --keep-going --reduce not-seen => violation assertion data-race
// also: --keep-going --reduce sleep => violation assertion data-race
// also: --keep-going --reduce dpor => violation assertion data-race
// also: --keep-going --reduce source => violation assertion data-race
// also: --keep-going --strategy scale => violation assertion
// (super-step does not come to the state where both are about to, and says so)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int x;

static void *first(void *unused)
{
    x = 1; /* race */
    assert(0);
    return unused;
}

static void *second(void *unused)
{
    x = 2; /* race */
    assert(0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
