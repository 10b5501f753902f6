// A hash map whose buckets are divided among locks (Herlihy and Shavit, chapter 13.2.2).  Two
// buckets, two locks.  What concerns the whole map holds all locks.
//
// BUG 1: size locks one bucket after the other.
// BUG 2: add looks for the key, and adds it in a second critical section: it is added twice.
// BUG 3: remove looks for the key with the lock of another bucket.
//
// lin --before=0: verified
// lin -DBUG=1: results in 'add(1) / add(2); remove(1) | size /'
// lin -DBUG=2: results in '/ add(1) | add(1) /'
// lin -DBUG=3: data race in '/ add(1) | remove(1) /'
#include <heddle/lin.h>

#include <pthread.h>
#include <stdlib.h>

#ifndef BUG
#define BUG 0
#endif

#define BUCKETS 2

struct entry {
    int key;
    struct entry *next;
};

static struct entry *buckets[BUCKETS];
static pthread_mutex_t locks[BUCKETS] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };

HEDDLE_LIN_TEARDOWN
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct entry *e; (e = buckets[i]);) {
            buckets[i] = e->next;
            free(e);
        }
}

/* Where the entry of the key is linked, or would be. */
static struct entry **find(int key)
{
    struct entry **at = &buckets[key % BUCKETS];
    while (*at && (*at)->key != key)
        at = &(*at)->next;
    return at;
}

HEDDLE_LIN_OP(add, int key, HEDDLE_IN(1, 2))
{
    pthread_mutex_t *lock = &locks[key % BUCKETS];
    pthread_mutex_lock(lock);
    int fresh = *find(key) == NULL;
    if (BUG == 2) {
        pthread_mutex_unlock(lock);
        pthread_mutex_lock(lock);
    }
    if (fresh) {
        struct entry *e = malloc(sizeof *e);
        e->key = key;
        e->next = buckets[key % BUCKETS];
        buckets[key % BUCKETS] = e;
    }
    pthread_mutex_unlock(lock);
    return fresh;
}

HEDDLE_LIN_OP(remove, int key, HEDDLE_IN(1, 2))
{
    pthread_mutex_t *lock = &locks[(key + (BUG == 3)) % BUCKETS];
    pthread_mutex_lock(lock);
    struct entry **at = find(key), *e = *at;
    if (e)
        *at = e->next;
    pthread_mutex_unlock(lock);
    free(e);
    return e != NULL;
}

HEDDLE_LIN_OP0(size)
{
    int n = 0;
    for (int i = 0; i < BUCKETS; i++) {
        pthread_mutex_lock(&locks[i]);
        for (struct entry *e = buckets[i]; e; e = e->next)
            n++;
        if (BUG == 1)
            pthread_mutex_unlock(&locks[i]);
    }
    for (int i = 0; i < BUCKETS && BUG != 1; i++)
        pthread_mutex_unlock(&locks[i]);
    return n;
}
