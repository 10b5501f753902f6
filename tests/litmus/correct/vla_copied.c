// expect: verified
// A variable-length array has room for the string and its NUL.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static volatile int length = 3;

static void *work(void *unused)
{
    char a[length + 1];
    strcpy(a, "abc");
    assert(a[0] == 'a');
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
