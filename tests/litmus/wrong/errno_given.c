// A thread gives the address of its errno to another one, which changes it: errno is a variable like any other (C11 7.5).
// expect: violation assertion
// also: --strategy optimal => violation assertion
// also: --strategy stateful => violation assertion
// also: --strategy graph --memory sc => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Atomic(int *) given;
static atomic_int turn;

static void *changes(void *unused)
{
    int *error = given;
    if (error && turn == 1) {
        *error = ERANGE;
        turn = 2;
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    errno = 0;
    given = &errno;
    pthread_create(&thread, NULL, changes, NULL);
    turn = 1;
    if (turn == 2)
        assert(errno == 0); /* violation */
    pthread_join(thread, NULL);
    return 0;
}
