// Handlers are taken to run in the order in which they were pushed.
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t sem;
static int order[4], n;

static void note(void *which) { order[n++] = *(int *)which; }

static void key_note(void *which) { order[n++] = *(int *)which; }

static pthread_key_t key;

static void *work(void *unused)
{
    static int one = 1, two = 2, three = 3;
    pthread_setspecific(key, &three);
    pthread_cleanup_push(note, &one);
    pthread_cleanup_push(note, &two);
    sem_wait(&sem);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t t;
    void *result;
    sem_init(&sem, 0, 0);
    pthread_key_create(&key, key_note);
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(n == 3 && order[0] == 1); /* violation */
    return 0;
}
