// The flag orders the data, whoever sleeps between.
// expect: verified
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static int data;
static atomic_int ready;

static void *publish(void *unused)
{
    data = 42;
    usleep(1);
    ready = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int seen = 42;
    pthread_create(&thread, 0, publish, 0);
    if (ready) {
        usleep(1);
        seen = data;
    }
    pthread_join(thread, 0);
    return seen != 42;
}
