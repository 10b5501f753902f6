/* Elevator: lifts serve calls that people make on floors; a call belongs to one lift.  -DERROR: a lift
 * looks whether a call is free before it takes the lock, and two serve the same. */
#include <assert.h>
#include <pthread.h>

#ifndef LIFTS
#define LIFTS 2
#endif
#ifndef FLOORS
#define FLOORS 3
#endif

static struct floor {
    pthread_mutex_t lock;
    int called, taken, served;
} floors[FLOORS];

static int claim(struct floor *f)
{
    int mine = 0;
#ifdef ERROR
    if (!f->called || f->taken)
        return 0;
    pthread_mutex_lock(&f->lock);
    mine = f->taken = 1;
#else
    pthread_mutex_lock(&f->lock);
    if (f->called && !f->taken)
        mine = f->taken = 1;
#endif
    pthread_mutex_unlock(&f->lock);
    return mine;
}

static void *lift(void *arg)
{
    int at = *(int *)arg;
    for (int i = 0; i < FLOORS; i++) {
        struct floor *f = &floors[(at + i) % FLOORS];
        if (claim(f)) {
            pthread_mutex_lock(&f->lock);
            f->served++;
            assert(f->served == 1);
            pthread_mutex_unlock(&f->lock);
        }
    }
    return NULL;
}

static void *people(void *unused)
{
    for (int i = 0; i < FLOORS; i++) {
        pthread_mutex_lock(&floors[i].lock);
        floors[i].called = 1;
        pthread_mutex_unlock(&floors[i].lock);
    }
    return unused;
}

int main(void)
{
    static int start[LIFTS];
    pthread_t t[LIFTS + 1];
    for (int i = 0; i < FLOORS; i++)
        pthread_mutex_init(&floors[i].lock, NULL);
    pthread_create(&t[LIFTS], NULL, people, NULL);
    for (int i = 0; i < LIFTS; i++) {
        start[i] = i;
        pthread_create(&t[i], NULL, lift, &start[i]);
    }
    for (int i = 0; i <= LIFTS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
