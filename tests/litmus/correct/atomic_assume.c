// A section that fails its assumption has no effect: nobody sees what it wrote before, whatever it wrote to.
// Threads that were woken or let in by it still wait.
// expect: verified
// also: --strategy brute => verified
// also: --strategy source => verified
// also: --strategy stateful => verified
// also: --strategy dpor-stateful => verified
// also: --strategy hybrid => verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int x, *block;
static atomic_int go;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *try(void *unused)
{
    int own = 3;
    pthread_mutex_lock(&lock);
    heddle_atomic_begin();
    x = 1;
    own = 4;
    block = malloc(4);
    pthread_mutex_unlock(&lock);
    heddle_assume(go);
    x = 2;
    free(block);
    block = NULL;
    heddle_atomic_end();
    assert(own == 4);
    return unused;
}

static void *look(void *unused)
{
    heddle_atomic_begin();
    int seen = x;
    int *there = block;
    heddle_atomic_end();
    assert(seen != 1 && there == NULL);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, try, NULL);
    pthread_create(&threads[1], NULL, look, NULL);
    go = 1;
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    pthread_mutex_lock(&lock);
    assert(x == 2);
    pthread_mutex_unlock(&lock);
    return 0;
}
