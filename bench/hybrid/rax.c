/* RAX Extended: tasks of the Remote Agent that signal and await events by counting them.
 * -DERROR: as it flew, a task looks at the count before it takes the lock to wait. */
#include <pthread.h>

#ifndef TASKS
#define TASKS 3
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static struct event {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count;
} events[TASKS];

static void signal_event(struct event *e)
{
    pthread_mutex_lock(&e->lock);
    e->count++;
    pthread_cond_broadcast(&e->changed);
    pthread_mutex_unlock(&e->lock);
}

static void wait_for(struct event *e, int seen)
{
#ifdef ERROR
    if (e->count != seen)
        return;
    pthread_mutex_lock(&e->lock);
    pthread_cond_wait(&e->changed, &e->lock);
    pthread_mutex_unlock(&e->lock);
#else
    pthread_mutex_lock(&e->lock);
    while (e->count <= seen)
        pthread_cond_wait(&e->changed, &e->lock);
    pthread_mutex_unlock(&e->lock);
#endif
}

static void *task(void *arg)
{
    int me = *(int *)arg;
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0) {
            signal_event(&events[1]);
            wait_for(&events[0], i);
        } else {
            wait_for(&events[me], i);
            signal_event(&events[(me + 1) % TASKS]);
        }
    }
    return NULL;
}

int main(void)
{
    static int number[TASKS];
    pthread_t t[TASKS];
    for (int i = 0; i < TASKS; i++) {
        number[i] = i;
        pthread_mutex_init(&events[i].lock, NULL);
        pthread_cond_init(&events[i].changed, NULL);
    }
    for (int i = 0; i < TASKS; i++)
        pthread_create(&t[i], NULL, task, &number[i]);
    for (int i = 0; i < TASKS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
