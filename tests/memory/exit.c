// main ends the process with the lock held, so the other thread cannot take it afterwards.  That
// it took it before is an execution all the same.
// case: HOW=1 => violation assertion
// case: HOW=2 => verified; 2
#include "orders.h"

#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    n++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    pthread_mutex_lock(&lock);
#if HOW == 1
    assert(n == 0);
#endif
    exit(0);
}
