// An invariant that writes what the program uses changes what it is to watch.
// expect: violation misuse
// also: --strategy optimal => violation misuse
// also: --strategy stateful => violation misuse
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int n;
static int highest;

static int grows(void)
{
    int now = n;
    if (now < highest)
        return 0;
    highest = now; /* violation */
    return 1;
}

static void *count(void *unused)
{
    n++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    heddle_invariant(grows);
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
