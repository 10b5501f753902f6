// The lock of a stream keeps others out, and may be taken again by who has it; what is printed meanwhile
// waits.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

static bool inside;

static void *work(void *unused)
{
    flockfile(stdout);
    assert(!inside);
    inside = true;
    putchar_unlocked('a');
    printf("%d\n", 1);
    inside = false;
    funlockfile(stdout);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    if (ftrylockfile(stdout) == 0) {
        assert(!inside);
        funlockfile(stdout);
    }
    pthread_join(t, NULL);
    return 0;
}
