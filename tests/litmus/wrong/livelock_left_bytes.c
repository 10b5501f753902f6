// Two threads go round for ever.  The first time round they find on their stacks what was there
// before, later what they left there themselves: bytes that nobody reads.
// expect: violation livelock
// options: --strategy stateful --races off
// also: --strategy stateful --exact-states --races off => violation livelock
#include <pthread.h>
#include <stdatomic.h>

enum { BYTES = 200 };

static atomic_int x;

__attribute__((noinline)) static void fill(char with)
{
    volatile char left[BYTES];
    for (int i = 0; i < BYTES; i++)
        left[i] = with;
}

__attribute__((noinline)) static void flip(void)
{
    volatile char unused[BYTES];
    (void)unused;
    unused[0] = 0;
    atomic_fetch_xor(&x, 1);
}

static void *turn(void *unused)
{
    fill(1);
    for (;;) {
        atomic_fetch_xor(&x, 1);
        flip();
        fill(2);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, turn, 0);
    pthread_create(&b, 0, turn, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
