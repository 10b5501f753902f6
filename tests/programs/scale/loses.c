/* SCALE's not-seen and super-step, in its order, miss one of the ends of this program. */
#include <pthread.h>
#include <stddef.h>

void heddle_observe(const void *bytes, unsigned long n);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned short low, high;
} x;

static void *clear(void *unused)
{
    __builtin_memset(&x, 0, sizeof x);
    return unused;
}

static void *add(void *unused)
{
    pthread_mutex_lock(&lock);
    x.low = (unsigned short)(x.high + 2);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *one(void *unused)
{
    x.low = 1;
    return unused;
}

int main(void)
{
    static pthread_t threads[3];
    pthread_create(&threads[0], NULL, clear, NULL);
    __builtin_memset(&x, 1, sizeof x);
    pthread_create(&threads[1], NULL, add, NULL);
    pthread_mutex_lock(&lock);
    x.high = 2;
    pthread_create(&threads[2], NULL, one, NULL);
    for (int i = 3; i-- > 0;)
        pthread_join(threads[i], NULL);
    heddle_observe(&x, sizeof x);
    return 0;
}
