// expect: violation memory
// The element after the last of an array of variable rows and columns is written.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static volatile int length = 3;

static void *work(void *unused)
{
    int rows = length, columns = length - 1, a[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < columns; k++)
            a[i][k] = i;
    a[rows - 1][columns] = 7; /* violation */
    assert(a[0][0] == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
