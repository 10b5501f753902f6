// After the joins main returns what a thread has left in memory, by plain accesses, through a function and a pointer.
// expect: violation abort
// also: --strategy graph --memory sc => violation abort
// also: --memory rc11 => violation abort
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void *loads(void *left)
{
    *(int *)left = !atomic_load(&x);
    return NULL;
}

static void *stores(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static int joins(pthread_t first, pthread_t second, const int *left)
{
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return *left;
}

int main(void)
{
    pthread_t first, second;
    int left;
    pthread_create(&first, NULL, loads, &left);
    pthread_create(&second, NULL, stores, NULL);
    return joins(first, second, &left);
} /* violation */
