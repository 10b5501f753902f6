// Airline(ISSUERS, CUSHION): threads sell seats and say when it is enough; who starts them looks, without
// waiting for them, and may go on for too long.  After the description in Noonan's thesis, 3.5.1 (a benchmark of
// IBM Haifa).  Without an error: CUSHION 0.
#include <assert.h>
#include <pthread.h>

#ifndef ISSUERS
#define ISSUERS 2
#endif
#ifndef CUSHION
#define CUSHION 1
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sold, stop;

static void *sell(void *arg)
{
    pthread_mutex_lock(&lock);
    sold++;
    if (sold > ISSUERS - CUSHION)
        stop = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

static int stopped(void)
{
    pthread_mutex_lock(&lock);
    int now = stop;
    if (now)
        sold--;
    pthread_mutex_unlock(&lock);
    return now;
}

int main(void)
{
    pthread_t t[ISSUERS];
    int n = 0;
    while (n < ISSUERS) {
        pthread_create(&t[n++], NULL, sell, NULL);
        if (stopped())
            break;
    }
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    assert(sold <= ISSUERS - CUSHION);
    return 0;
}
