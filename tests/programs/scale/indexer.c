/* The indexer of SCALE's appendix A.2 (after Flanagan and Godefroid): N threads, main the last of
 * them, put MAX values each into a hash table; a slot is claimed under its own mutex.  No two
 * threads meet in a slot for N up to 11, which no static analysis sees.
 *
 *   -DN=2 -DMAX=4 -DSIZE=128 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif
#ifndef MAX
#define MAX 4
#endif
#ifndef SIZE
#define SIZE 128
#endif

static int table[SIZE];
static pthread_mutex_t slot_lock[SIZE];

static int claim(int slot, int value)
{
    int done = 0;
    pthread_mutex_lock(&slot_lock[slot]);
    if (table[slot] == 0) {
        table[slot] = value;
        done = 1;
    }
    pthread_mutex_unlock(&slot_lock[slot]);
    return done;
}

static void insert_all(int id)
{
    for (int m = 1; m <= MAX; m++) {
        int value = m * 11 + id;
        int slot = value * 7 % SIZE;
        while (!claim(slot, value))
            slot = (slot + 1) % SIZE;
    }
}

static void *indexer(void *id)
{
    insert_all((int)(intptr_t)id);
    return NULL;
}

int main(void)
{
    static pthread_t threads[N];
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_init(&slot_lock[i], NULL);
    for (int i = 0; i < N - 1; i++)
        pthread_create(&threads[i], NULL, indexer, (void *)(intptr_t)i);
    insert_all(N - 1);
    for (int i = 0; i < N - 1; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SIZE; i++)
        pthread_mutex_destroy(&slot_lock[i]);
    return 0;
}
