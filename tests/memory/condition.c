// A signal wakes, but orders nothing; the mutex does.  The thread takes the mutex only when main
// waits.  HOW=1: it stores before it gives the mutex back, and main sees that.  HOW=2: afterwards, so
// main may read the older value.  HOW=3: the thread signals without having taken the mutex, so
// the signal may come too early.  HOW=4: with a time limit the wait ends in any case.  The signal
// comes before the wait, in it, or after the limit: 3.
// case: HOW=1 => verified; 1
// case: HOW=2 => violation assertion
// case: HOW=3 => violation deadlock
// case: HOW=4 => verified; 3
#include "orders.h"

#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t told = PTHREAD_COND_INITIALIZER;
static atomic_int data;

static void *tell(void *unused)
{
    if (HOW < 3) {
        pthread_mutex_lock(&lock);
        if (HOW == 1)
            atomic_store_explicit(&data, 1, memory_order_relaxed);
        pthread_mutex_unlock(&lock);
        if (HOW == 2)
            atomic_store_explicit(&data, 1, memory_order_relaxed);
    }
    pthread_cond_signal(&told);
    return unused;
}

int main(void)
{
    static const struct timespec at = { 1, 0 };
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, tell, NULL);
    if (HOW < 4)
        pthread_cond_wait(&told, &lock);
    else
        pthread_cond_timedwait(&told, &lock, &at);
    if (HOW < 3)
        assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
