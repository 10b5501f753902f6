/* A bounded buffer whose room is asked for before the lock, and one where it is asked for after it. */
#include "two_threads.h"
#include <assert.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int loose, tight;
static void *put(void *arg)
{
    if (loose < 1) {
        pthread_mutex_lock(&lock);
        assert(loose < 1); //! fault real 1
        loose++;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    if (tight < 1) {
        assert(tight < 1); //! fault spurious 2
        tight++;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void) { return run_two(put, put); }
