// The functions without a lock, and no flockfile(): the stream is shared memory like other.
// expect: violation data-race
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static FILE *out;

static void *second(void *unused)
{
    putc_unlocked('b', out); /* race */
    return unused;
}

int main(void)
{
    pthread_t a;
    int ends[2];
    pipe(ends);
    out = fdopen(ends[1], "w");
    pthread_create(&a, NULL, second, NULL);
    putc_unlocked('a', out); /* race */
    pthread_join(a, NULL);
    return 0;
}
