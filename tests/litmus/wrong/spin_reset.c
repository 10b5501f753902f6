// The struct is cleared after the pthread_spinlock_t in it was initialised.
// expect: violation misuse
#include <pthread.h>
#include <string.h>

static struct {
    int n;
    pthread_spinlock_t object;
} all;

int main(void)
{
    pthread_spin_init(&all.object, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&all.object);
    pthread_spin_unlock(&all.object);
    memset(&all, 0, sizeof all);
    pthread_spin_lock(&all.object); /* violation */
    return 0;
}
