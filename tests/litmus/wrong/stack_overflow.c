// Recursion without end, in one interleaving.
// expect: violation crash
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int depth_limit = 10;

static int sink(int left)
{
    volatile char here[512];
    here[left & 511] = (char)left;
    return left == 0 ? here[0] : sink(left - 1) + here[left & 511];
}

static void *work(void *unused)
{
    depth_limit = -1;
    depth_limit = 10;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    sink(depth_limit);
    pthread_join(t, NULL);
    return 0;
}
