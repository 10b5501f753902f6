// A forgotten copy of the writing side keeps the pipe open: the reader waits for ever.
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2], copy;

static void *producer(void *unused)
{
    write(copy, "x", 1);
    close(copy);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[4];
    pipe(ends);
    copy = dup(ends[1]);
    dup2(ends[1], 100);
    pthread_create(&a, NULL, producer, NULL);
    close(ends[1]);
    read(ends[0], text, sizeof text);
    read(ends[0], text, sizeof text); /* violation */
    pthread_join(a, NULL);
    return 0;
}
