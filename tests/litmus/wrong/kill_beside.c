// A signal that ends the program is sent to a thread, which may have ended before.  Only one order is
// wrong.
// expect: violation crash
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *work(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGTERM); /* violation */
    pthread_join(t, NULL);
    return 0;
}
