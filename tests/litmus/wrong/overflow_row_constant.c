// expect: violation memory
// The compiler knows the index, which is that of no element of the row.
// cc-flags: -Wno-array-bounds
#include <pthread.h>

static int table[2][3];

static void *work(void *unused)
{
    table[0][3] = 1; /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return table[1][0];
}
