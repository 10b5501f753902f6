/* The callback is called with the lock held, and calls back: the lock is taken twice. */
// expect: violation misuse
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value, seen;
static void (*listener)(void);

static int get(void)
{
    pthread_mutex_lock(&lock);
    int now = value;
    pthread_mutex_unlock(&lock);
    return now;
}

static void set(int to)
{
    pthread_mutex_lock(&lock);
    value = to;
    void (*call)(void) = listener;
    if (call)
        call();
    pthread_mutex_unlock(&lock);
}

static void note(void) { seen = get(); }

static void *subscribe(void *unused)
{
    pthread_mutex_lock(&lock);
    listener = note;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, subscribe, NULL);
    set(7);
    pthread_join(t, NULL);
    assert(seen == 0 || seen == 7);
}
