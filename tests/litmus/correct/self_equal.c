// pthread_self names the thread that pthread_create told its parent; threads differ.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_t main_thread;
static pthread_t told[2];

static void *work(void *slot)
{
    *(pthread_t *)slot = pthread_self();
    assert(!pthread_equal(pthread_self(), main_thread));
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    main_thread = pthread_self();
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &told[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(pthread_equal(t[0], told[0]));
    assert(pthread_equal(t[1], told[1]));
    assert(!pthread_equal(told[0], told[1]));
    assert(pthread_equal(main_thread, pthread_self()));
    return 0;
}
