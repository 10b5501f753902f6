// A queue of two places under a mutex.
//
// BUG 1: get looks at the first element, and removes it in a second critical section: two
//        threads have the same one.
// BUG 2: put looks for room, and stores in a second critical section: it overwrites the first
//        element.
// BUG 3: the size is counted beside the queue, after the mutex was unlocked.
//
// lin: verified
// lin -DBUG=1: results in '/ put(1); get | get /'
// lin -DBUG=2: results in '/ put(1); put(1) | put(1) /'
// lin -DBUG=3: results in '/ get; size | put(1) /'
#include <heddle/lin.h>

#include <pthread.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif

#define PLACES 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int items[PLACES];
static unsigned first, count;
static atomic_uint counted;

HEDDLE_LIN_SETUP
{
    first = count = 0;
    atomic_init(&counted, 0);
}

HEDDLE_LIN_OP(put, int v, HEDDLE_IN(1, 2))
{
    pthread_mutex_lock(&mutex);
    int room = count < PLACES;
    if (BUG == 2) {
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
    }
    if (room)
        items[(first + count++) % PLACES] = v;
    pthread_mutex_unlock(&mutex);
    if (BUG == 3 && room)
        counted++;
    return room;
}

HEDDLE_LIN_OP0(get)
{
    int item = -1;
    pthread_mutex_lock(&mutex);
    if (count) {
        item = items[first % PLACES];
        if (BUG == 1) {
            pthread_mutex_unlock(&mutex);
            pthread_mutex_lock(&mutex);
        }
        first++;
        count--;
    }
    pthread_mutex_unlock(&mutex);
    if (BUG == 3 && item != -1)
        counted--;
    return item;
}

HEDDLE_LIN_OP0(size)
{
    if (BUG == 3)
        return counted;
    pthread_mutex_lock(&mutex);
    unsigned n = count;
    pthread_mutex_unlock(&mutex);
    return n;
}
