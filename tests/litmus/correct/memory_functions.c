// memset, memcpy, memmove and memcmp on shared memory do what they do in C.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char buffer[32];

static void *work(void *letter)
{
    pthread_mutex_lock(&lock);
    memset(buffer, *(char *)letter, 16);
    memmove(buffer + 8, buffer, 16);
    memcpy(buffer, "0123", 4);
    assert(memcmp(buffer + 4, buffer + 12, 4) == 0);
    assert(buffer[23] == *(char *)letter && buffer[24] == 0);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    static char x = 'x', y = 'y';
    pthread_create(&t, NULL, work, &x);
    work(&y);
    pthread_join(t, NULL);
    assert(memcmp(buffer, "0123", 4) == 0);
    return 0;
}
