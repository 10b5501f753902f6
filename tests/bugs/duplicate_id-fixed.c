/* duplicate_id.c, repaired. The number is kept in a local variable. */
// expect: verified
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
    int mine = ++last;
    pthread_mutex_unlock(&lock);
    return mine;
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
