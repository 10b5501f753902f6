/* Threads that all run one function with one argument.  WHAT says what they do beside counting, and what
 * main does with them:
 *
 *   0  nothing          --symmetric sees one thread instead of N
 *   1  a list of blocks of their heaps, and a condition variable; main looks at the list after the joins
 *   2  … with a bug: one who finds the list empty does not wait for the lock
 *   3 to 7  can be told apart: by their own ids, by a result, by ids that all can see, by threads of
 *      their own, by what main does between the joins */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef N
#define N 3
#endif
#ifndef WHAT
#define WHAT 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;
static struct item {
    struct item *next;
} *list;
static pthread_t owner, *ids;

static void push(void)
{
    struct item *item = malloc(sizeof *item);
    if (WHAT == 2 && !list) {
        item->next = NULL;
        list = item;
        return;
    }
    pthread_mutex_lock(&lock);
    item->next = list;
    list = item;
    pthread_cond_signal(&filled);
    while (!list->next && count < N)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
}

static void *nothing(void *unused) { return unused; }

static void *work(void *unused)
{
    if (WHAT == 1 || WHAT == 2)
        push();
    if (WHAT == 3)
        owner = pthread_self();
    if (WHAT == 6) {
        pthread_t mine;
        pthread_create(&mine, 0, nothing, 0);
        pthread_join(mine, 0);
    }
    pthread_mutex_lock(&lock);
    count++;
    if (WHAT == 1)
        pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t mine[N];
    static pthread_t everybodys[N];
    void *result;
    int n = 0;
    if (WHAT == 5)
        ids = everybodys;
    for (int i = 0; i < N; i++)
        pthread_create(WHAT == 5 ? &everybodys[i] : &mine[i], 0, work, 0);
    for (int i = 0; i < N; i++) {
        pthread_join(WHAT == 5 ? everybodys[i] : mine[i], WHAT == 4 ? &result : 0);
        if (WHAT == 7) {
            pthread_mutex_lock(&lock);
            pthread_mutex_unlock(&lock);
        }
    }
    for (struct item *item = list; item; item = item->next)
        n++;
    assert((WHAT != 1 && WHAT != 2) || n == N);
    return count != N;
}
