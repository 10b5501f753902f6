// Without a thread there is one execution, and no other to sample.
// expect: verified
// executions: 1
// also: --strategy random => no-violation-found
// also: --search pos:1 --reduce none => no-violation-found
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    return pthread_mutex_unlock(&lock);
}
