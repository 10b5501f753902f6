// The file is opened before there are threads, read and closed after the first step.  Every execution
// finds it open, and at its beginning.
// expect: violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy brute => violation assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int x;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t id;
    char c = 0;
    int file = open(__FILE__, O_RDONLY);
    pthread_create(&id, NULL, set, NULL);
    long n = read(file, &c, 1);
    int seen = x;
    if (n == 1 && c == '/')
        assert(seen == 0); /* violation */
    close(file);
    pthread_join(id, NULL);
    return 0;
}
