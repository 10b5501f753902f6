// The call that heddle refuses is in code that no execution reaches: it costs nothing.
// expect: verified
// options: --keep-going
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int chosen;

static void *work(void *unused)
{
    chosen = heddle_choose(2);
    if (chosen == 2)
        vfork();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(chosen < 2);
    return 0;
}
