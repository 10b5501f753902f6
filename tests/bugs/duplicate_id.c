/* Numbers are given out under the lock, but read after it has been given back. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int last;
static int ids[2];

static int new_id(void)
{
    pthread_mutex_lock(&lock);
    last++;
    pthread_mutex_unlock(&lock);
    return last;
}

static void *client(void *arg)
{
    *(int *)arg = new_id();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, &ids[0]);
    pthread_create(&b, NULL, client, &ids[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(ids[0] != ids[1]);
}
