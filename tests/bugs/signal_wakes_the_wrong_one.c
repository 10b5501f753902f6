/* One condition for two questions: the signal wakes the thread whose question is still
 * unanswered. */
// expect: violation deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stage;

static void *wait_for(void *arg)
{
    int wanted = *(int *)arg;
    pthread_mutex_lock(&lock);
    while (stage < wanted)
        pthread_cond_wait(&changed, &lock);
    stage++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    static int first = 1, second = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, wait_for, &first);
    pthread_create(&b, NULL, wait_for, &second);
    pthread_mutex_lock(&lock);
    stage = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
