// A copy of twelve bytes and a string written after them: byte eleven belongs to both.
// expect: violation data-race
#include <pthread.h>
#include <string.h>

static char buffer[32], source[12];

static void *copy(void *unused)
{
    memcpy(buffer, source, sizeof source); /* race */
    return unused;
}

static void *fill(void *unused)
{
    memset(buffer + 11, 7, 4); /* race */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, copy, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
