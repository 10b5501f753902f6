// A thread gives the address of its errno to another one, which reads it while the thread may write it.
// expect: violation data-race
// also: --strategy optimal => violation data-race
// also: --strategy stateful => violation data-race
// also: --strategy graph --memory sc => violation data-race
// also: --memory rc11 => violation data-race
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static void *reads(void *error) { return *(int *)error ? error : NULL; /* race */ }

int main(void)
{
    pthread_t thread;
    errno = 0;
    pthread_create(&thread, NULL, reads, &errno);
    errno = ERANGE; /* race */
    pthread_join(thread, NULL);
    return 0;
}
