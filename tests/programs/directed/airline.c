/* Airline: main starts one thread per ticket and stops selling when a thread has said so.  It is said
 * when the seats are sold, which are CUSHION fewer than the ISSUERS; what was started by then is sold
 * too.  CUSHION=0 has no error. */
#include <heddle.h>
#include <pthread.h>

#ifndef ISSUERS
#define ISSUERS 5
#endif
#ifndef CUSHION
#define CUSHION 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold, stop_sales;

static void *issue(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    int now = ++sold;
    pthread_mutex_unlock(&lock);
    if (now > ISSUERS - CUSHION) {
        pthread_mutex_lock(&lock);
        stop_sales = 1;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[ISSUERS];
    int n = 0, stopped = 0;
    while (n < ISSUERS && !stopped) {
        pthread_create(&threads[n++], NULL, issue, NULL);
        pthread_mutex_lock(&lock);
        stopped = stop_sales;
        if (stopped)
            sold--; /* the last one is taken back */
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    int all = sold;
    pthread_mutex_unlock(&lock);
    if (all > ISSUERS - CUSHION)
        heddle_target();
    while (n)
        pthread_join(threads[--n], NULL);
    return 0;
}
