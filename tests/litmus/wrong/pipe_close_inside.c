// The number may be closed before the call looks it up: nobody is there then to read what is written.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void *closer(void *unused)
{
    close(ends[0]);
    assert(write(ends[1], "x", 1) == 1); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    char byte;
    signal(SIGPIPE, SIG_IGN);
    pipe(ends);
    pthread_create(&t, NULL, closer, NULL);
    read(ends[0], &byte, 1);
    pthread_join(t, NULL);
    return 0;
}
