/* Something that must hold at any time: --invariant balanced.  With -DFIXED one store moves
 * both. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifdef FIXED
static _Atomic uint64_t both = (uint64_t)5 << 32 | 5;
int balanced(void) { return (both >> 32) + (uint32_t)both == 10; }
static void move(void) { both = (uint64_t)4 << 32 | 6; }
#else
static atomic_int left = 5, right = 5;
int balanced(void) { return left + right == 10; }
static void move(void)
{
    left = 4;
    right = 6;
}
#endif

static void *work(void *unused)
{
    move();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
}
