// Atomic objects of other sizes than a register's: the library locks them, so nobody sees a half of
// one, and no addition is lost.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct large {
    long a, b, c;
};
struct small {
    char a, b, c;
};
static _Atomic struct large large;
static _Atomic struct small small;

static void *work(void *unused)
{
    struct large old = atomic_load(&large), new;
    do {
        assert(old.a == old.b && old.b == old.c);
        new = (struct large){ old.a + 1, old.b + 1, old.c + 1 };
    } while (!atomic_compare_exchange_strong(&large, &old, new));
    struct small before = atomic_exchange(&small, ((struct small){ 1, 1, 1 }));
    assert(before.a == before.c);
    atomic_store(&small, ((struct small){ 2, 2, 2 }));
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    struct large now = large;
    assert(now.a == 2 && now.c == 2);
    return 0;
}
