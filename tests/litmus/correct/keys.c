// Every thread has its own value; destructors run at its end, also for values set by destructors.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
    assert(pthread_getspecific(key) == NULL);
    destroyed++;
    if (*(int *)value) {
        *(int *)value = 0;
        pthread_setspecific(key, value);
    }
}

static void *work(void *unused)
{
    static _Thread_local int mine;
    mine = 1;
    assert(pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &mine);
    assert(pthread_getspecific(key) == &mine);
    pthread_exit(unused);
}

int main(void)
{
    pthread_t t;
    int own;
    pthread_key_create(&key, destroy);
    pthread_setspecific(key, &own);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_getspecific(key) == &own);
    pthread_join(t, NULL);
    assert(destroyed == 2 && pthread_getspecific(key) == &own);
    pthread_key_delete(key);
    return 0;
}
