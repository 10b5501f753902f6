// A packed structure's unaligned field is counted up under a lock; its neighbours stay.
// expect: verified
// executions: 2
// (who locks first)
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static struct __attribute__((packed)) {
    char before;
    int count;
    double wide;
    char after;
} box = { 'b', 0, 0.0, 'a' };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    box.count += 1000000;
    box.wide += 0.5;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(box.before == 'b' && box.count == 2000000 && box.wide == 1.0 && box.after == 'a');
    return 0;
}
