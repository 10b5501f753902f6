// expect: verified
// also: --strategy optimal => verified
// also: --strategy rf => verified
// also: --memory rc11 => verified
// also: --memory tso => verified
// also: --memory sc --strategy graph => verified
// What calls store by a pointer is seen by loads that follow, also where plain accesses are events of a graph: the results of
// joins, the value of a semaphore, and the name of a thread that is created again.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_t again;
static void *result;
static int value;
static sem_t sem;

static void *give(void *v) { return v; }

static void *look(void *unused)
{
    assert(result == (void *)2 && value == 2 && again != 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&sem, 0, 2);
    pthread_create(&a, NULL, give, (void *)1);
    pthread_create(&b, NULL, give, (void *)2);
    result = NULL;
    value = 7;
    for (int i = 0; i < 2; i++) {
        pthread_create(&again, NULL, give, NULL);
        pthread_join(again, NULL);
    }
    pthread_join(a, &result);
    assert(result == (void *)1);
    sem_getvalue(&sem, &value);
    assert(value == 2);
    pthread_join(b, &result);
    pthread_create(&a, NULL, look, NULL);
    pthread_join(a, NULL);
    return 0;
}
