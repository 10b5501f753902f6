// What the program printed before it broke belongs to the run.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static atomic_int turn;

static void *work(void *unused)
{
    printf("the thread was here\n");
    turn = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    int seen = turn;
    printf("main saw %d\n", seen);
    fprintf(stderr, "main complains\n");
    assert(!seen); /* violation */
    pthread_join(t, NULL);
    return 0;
}
