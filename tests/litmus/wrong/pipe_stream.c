// One read is taken to bring all that was written in two.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *producer(void *unused)
{
    write(ends[1], "ab", 2);
    write(ends[1], "c", 1);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[8];
    pipe(ends);
    pthread_create(&a, NULL, producer, NULL);
    assert(read(ends[0], text, sizeof text) == 3); /* violation */
    pthread_join(a, NULL);
    return 0;
}
