// The correct version of wrong/join_row.c, with an invariant from the second join on; and joins in a
// row, the third of which is a cancellation point when the first two were none.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include <heddle.h>

static atomic_int x;
static int place[3], left = 3;
static pthread_t joiner, t[3], behind;

static void *work(void *mine)
{
    *(int *)mine = ++x;
    return NULL;
}

static int some_are_left(void) { return left >= 0; }

static void *cancel(void *unused)
{
    pthread_cancel(joiner);
    return unused;
}

static void *nothing(void *unused) { return unused; }

static void *join(void *unused)
{
    pthread_t first, second;
    joiner = pthread_self();
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_create(&first, NULL, cancel, NULL);
    pthread_create(&second, NULL, nothing, NULL);
    pthread_create(&behind, NULL, nothing, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_join(behind, NULL);
    assert(0);
    return unused;
}

int main(void)
{
    pthread_t cancelled;
    void *result;
    pthread_create(&cancelled, NULL, join, NULL);
    pthread_join(cancelled, &result);
    assert(result == PTHREAD_CANCELED);
    pthread_join(behind, NULL);
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, &place[i]);
    for (int i = 0; i < 3; i++) {
        pthread_join(t[i], NULL);
        left--;
        if (i == 1)
            heddle_invariant(some_are_left);
    }
    assert(place[0] + place[1] + place[2] == 6);
    return 0;
}
