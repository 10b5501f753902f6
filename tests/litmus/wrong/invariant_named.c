// The same, with the invariant named on the command line.
// expect: violation data-race invariant
// options: --invariant in_range
#include <pthread.h>
#include <stddef.h>

static int level;

int in_range(void);
int in_range(void) { return level >= 0 && level <= 1; }

static void *up_and_down(void *unused)
{
    level++;
    level--;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, up_and_down, NULL);
    pthread_create(&b, NULL, up_and_down, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
