// A wild pointer into memory that is not the program's.
// expect: violation memory
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

static _Atomic uintptr_t where;

static void *work(void *unused)
{
    where = 0x010000000100;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    uintptr_t address = where;
    if (address)
        *(int *)address = 1; /* violation */
    pthread_join(t, NULL);
    return 0;
}
