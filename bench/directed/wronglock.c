// Wronglock(DATA, CLASS): one kind of thread takes the data's lock, the other kind another one.  After the
// description in Rungta and Mercer, "A meta heuristic for effectively detecting concurrency errors" (a benchmark
// of IBM Haifa).
#include <assert.h>
#include <pthread.h>

#ifndef DATA
#define DATA 1
#endif
#ifndef CLASS
#define CLASS 1
#endif

static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t class_lock = PTHREAD_MUTEX_INITIALIZER;
static int value;

static void *right(void *arg)
{
    pthread_mutex_lock(&data_lock);
    int x = value;   /* via 1 */
    value = x + 1;   /* via 2 */
    int now = value; /* via 4 */
    assert(now == x + 1);
    pthread_mutex_unlock(&data_lock);
    return arg;
}

static void *wrong(void *arg)
{
    pthread_mutex_lock(&class_lock);
    value++; /* via 3 */
    pthread_mutex_unlock(&class_lock);
    return arg;
}

int main(void)
{
    pthread_t t[DATA + CLASS];
    for (int i = 0; i < DATA; i++)
        pthread_create(&t[i], NULL, right, NULL);
    for (int i = 0; i < CLASS; i++)
        pthread_create(&t[DATA + i], NULL, wrong, NULL);
    for (int i = 0; i < DATA + CLASS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
