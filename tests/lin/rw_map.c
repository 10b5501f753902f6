// A map of two keys under a read-write lock.
//
// BUG 1: put_if_absent looks under the read lock, and stores under the write lock without
//        looking again.
// BUG 2: put holds the read lock.  Two of them also race for the value.
// BUG 3: sum holds no lock between its two keys: it is 0 + 3, when it was 0, 5 and 8.  With two
//        puts of 5 it would be 0 + 5, which is right.
//
// lin --before=0: verified
// lin -DBUG=1: results in '/ put(0,5) | put_if_absent(0) /'
// lin --races=off -DBUG=2: results in '/ put(0,5) | put(0,5) /'
// lin -DBUG=3: results in '/ put(0,5); put_if_absent(1) | sum /'
#include <heddle/lin.h>

#include <pthread.h>

#ifndef BUG
#define BUG 0
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int values[2]; /* 0: the key is absent */

HEDDLE_LIN_SETUP { values[0] = values[1] = 0; }

/* The value that was there. */
HEDDLE_LIN_OP2(put, int key, HEDDLE_IN(0, 1), int value, HEDDLE_IN(5))
{
    if (BUG == 2)
        pthread_rwlock_rdlock(&lock);
    else
        pthread_rwlock_wrlock(&lock);
    int old = values[key];
    values[key] = value;
    pthread_rwlock_unlock(&lock);
    return old;
}

HEDDLE_LIN_OP(put_if_absent, int key, HEDDLE_IN(0, 1))
{
    int absent;
    if (BUG == 1) {
        pthread_rwlock_rdlock(&lock);
        absent = values[key] == 0;
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_wrlock(&lock);
    } else {
        pthread_rwlock_wrlock(&lock);
        absent = values[key] == 0;
    }
    if (absent)
        values[key] = 3;
    pthread_rwlock_unlock(&lock);
    return absent;
}

HEDDLE_LIN_OP0(sum)
{
    pthread_rwlock_rdlock(&lock);
    int sum = values[0];
    if (BUG == 3) {
        pthread_rwlock_unlock(&lock);
        pthread_rwlock_rdlock(&lock);
    }
    sum += values[1];
    pthread_rwlock_unlock(&lock);
    return sum;
}
