// A signal is sent to a thread that does not exist any more.
// expect: violation misuse
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_kill(t, 0); /* violation */
    return 0;
}
