// An eventfd is closed by one thread and written by another one, and a third one makes an eventfd that gets its number.
// expect: violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int first, second;

static void *closes(void *unused)
{
    close(first);
    return unused;
}

static void *opens(void *unused)
{
    second = eventfd(0, EFD_NONBLOCK);
    return unused;
}

static void *writes(void *unused)
{
    eventfd_write(first, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    eventfd_t got;
    first = eventfd(0, EFD_NONBLOCK);
    pthread_create(&threads[0], NULL, closes, NULL);
    pthread_create(&threads[1], NULL, opens, NULL);
    pthread_create(&threads[2], NULL, writes, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(eventfd_read(second, &got) != 0); /* violation */
    return 0;
}
