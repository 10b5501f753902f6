// Both wait until the other reads: each has filled the pipe to the other first.
// expect: violation deadlock
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int there[2], back[2];
static char block[4097];

static void *peer(void *unused)
{
    static char mine[4097];
    write(back[1], block, sizeof block);
    read(there[0], mine, sizeof mine);
    return unused;
}

int main(void)
{
    pthread_t a;
    pipe2(there, 0);
    pipe2(back, 0);
    fcntl(there[1], F_SETPIPE_SZ, 4096);
    fcntl(back[1], F_SETPIPE_SZ, 4096);
    pthread_create(&a, NULL, peer, NULL);
    write(there[1], block, sizeof block); /* violation */
    read(back[0], block, sizeof block);
    pthread_join(a, NULL);
    return 0;
}
