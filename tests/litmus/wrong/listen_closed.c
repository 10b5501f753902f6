// A thread closes a socket, another one listens on it: that fails if it comes later, and succeeds before.  Which of them it is
// depends on the close, also where the number is found closed.
// expect: violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd, failed;

static void *closes(void *unused)
{
    close(fd);
    return unused;
}

static void *listens(void *unused)
{
    failed = listen(fd, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    fd = socket(AF_INET, SOCK_STREAM, 0);
    pthread_create(&threads[0], NULL, closes, NULL);
    pthread_create(&threads[1], NULL, listens, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(failed); /* violation */
    return 0;
}
