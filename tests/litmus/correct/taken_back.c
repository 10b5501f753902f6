// heddle_blocks() takes back what waits for ever: in a condition variable, a semaphore, a loop; and it
// leaves alone what returns.
// expect: verified
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static sem_t units;
static atomic_int flag;
static int n, calls, large[200];
static char *block;

static void take(void *result)
{
    pthread_mutex_lock(&m);
    calls++;
    block = malloc(10);
    memset(large, 1, sizeof large);
    while (n == 0)
        pthread_cond_wait(&filled, &m);
    n--;
    free(block);
    block = NULL;
    pthread_mutex_unlock(&m);
    *(int *)result = 5;
}

static void down(void *unused)
{
    (void)unused;
    calls++;
    sem_wait(&units);
}

static void spin(void *unused)
{
    (void)unused;
    calls++;
    while (!flag)
        ;
}

static void *start(void *unused)
{
    pthread_mutex_lock(&m);
    n++;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    int result = 0;
    pthread_t thread;
    sem_init(&units, 0, 0);
    assert(heddle_blocks(take, &result));
    assert(n == 0 && calls == 0 && !block && large[150] == 0 && result == 0);
    n = 1;
    assert(!heddle_blocks(take, &result));
    assert(n == 0 && calls == 1 && large[150] != 0 && result == 5);
    assert(heddle_blocks(down, NULL) && calls == 1);
    sem_post(&units);
    assert(!heddle_blocks(down, NULL) && calls == 2);
    assert(heddle_blocks(spin, NULL) && calls == 2);
    assert(!heddle_choose(2) || heddle_blocks(take, &result));
    pthread_create(&thread, NULL, start, NULL);
    pthread_mutex_lock(&m); /* nobody holds it: what was taken back has given it back */
    n++;
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    assert(n == 2 && !heddle_blocks(take, &result) && n == 1);
}
