/* Alarm Clock (Concurrency Tool Comparison): a clock that ticks, a monitor with a list of calls, clients
 * that ask to be woken.  -DERROR: the clock looks at the list without the lock, and a call is lost. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef CLIENTS
#define CLIENTS 2
#endif
#define TICKS 3

struct call {
    int at, woken;
    struct call *next;
};

static struct monitor {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct call *calls;
    int now, waiting;
} monitor = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0, 0 };

static void wake_me(int after)
{
    struct call *c = calloc(1, sizeof *c);
    pthread_mutex_lock(&monitor.lock);
    c->at = monitor.now + after;
    if (monitor.now < TICKS) {
        if (c->at > TICKS)
            c->at = TICKS;
        c->next = monitor.calls;
        monitor.calls = c;
        monitor.waiting++;
        while (!c->woken)
            pthread_cond_wait(&monitor.changed, &monitor.lock);
        monitor.waiting--;
    }
    pthread_mutex_unlock(&monitor.lock);
    free(c);
}

static void *clock_thread(void *unused)
{
    for (int i = 0; i < TICKS; i++) {
#ifdef ERROR
        if (!monitor.calls) {
            monitor.now++;
            continue;
        }
#endif
        pthread_mutex_lock(&monitor.lock);
        monitor.now++;
        for (struct call **c = &monitor.calls; *c;) {
            if ((*c)->at <= monitor.now) {
                (*c)->woken = 1;
                *c = (*c)->next;
            } else {
                c = &(*c)->next;
            }
        }
        pthread_cond_broadcast(&monitor.changed);
        pthread_mutex_unlock(&monitor.lock);
    }
    return unused;
}

static void *client(void *arg)
{
    wake_me(*(int *)arg);
    return NULL;
}

int main(void)
{
    static int after[CLIENTS];
    pthread_t clock, clients[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        after[i] = i + 1;
        pthread_create(&clients[i], NULL, client, &after[i]);
    }
    pthread_create(&clock, NULL, clock_thread, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(clients[i], NULL);
    pthread_join(clock, NULL);
    assert(monitor.waiting == 0);
    return 0;
}
