/* peterson.c, repaired. The flag is raised first. */
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int wants[2], turn, inside;
static int numbers[2] = { 0, 1 };

static void *enter(void *arg)
{
    int me = *(int *)arg, other = 1 - me;
    wants[me] = 1;
    turn = other;
    int busy = wants[other] && turn == other;
    if (!busy) {
        assert(inside++ == 0);
        inside--;
    }
    wants[me] = 0;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, enter, &numbers[0]);
    pthread_create(&b, NULL, enter, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
