// The struct is cleared after the pthread_barrier_t in it was initialised.
// expect: violation misuse
#include <pthread.h>
#include <string.h>

static struct {
    int n;
    pthread_barrier_t object;
} all;

int main(void)
{
    pthread_barrier_init(&all.object, NULL, 1);
    pthread_barrier_wait(&all.object);
    memset(&all, 0, sizeof all);
    pthread_barrier_wait(&all.object); /* violation */
    return 0;
}
