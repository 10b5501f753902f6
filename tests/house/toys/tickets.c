/* Two threads take a ticket each, so there are two executions.  With -DFIRST the program claims that the first thread
 * is always served first, which it is not. */
#include <assert.h>
#include <pthread.h>

int toy_ticket(void *counter);

static int counter, got[2];

static void *take(void *at)
{
    *(int *)at = toy_ticket(&counter);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, take, &got[0]);
    pthread_create(&b, 0, take, &got[1]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(got[0] + got[1] == 1);
#ifdef FIRST
    assert(got[0] == 0);
#endif
}
