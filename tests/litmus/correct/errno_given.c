// A thread gives the address of its errno to another one, and waits until that has ended.  What library functions write
// there is not seen, which the verdict says.
// expect: no-violation-found
// also: --strategy optimal => no-violation-found
// also: --strategy graph --memory sc => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static void *changes(void *error)
{
    *(int *)error = ERANGE;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    errno = 0;
    pthread_create(&thread, NULL, changes, &errno);
    pthread_join(thread, NULL);
    assert(errno == ERANGE);
    return 0;
}
