// The thread that is cancelled may have read the byte that the other one waits for.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *work(void *unused)
{
    char byte;
    read(ends[0], &byte, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pipe(ends);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    write(ends[1], "x", 1);
    pthread_cancel(a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
