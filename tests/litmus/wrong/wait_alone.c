// The only thread waits for a signal.
// expect: violation deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&cond, &lock);
    return 0;
}
