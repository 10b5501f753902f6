/* Statistics that are read while another thread writes them. */
#include <pthread.h>
#include <stdio.h>

struct statistics {
    long requests;
    double mean_time_in_microseconds_over_all_requests;
    char last_client[24];
};

static struct statistics statistics;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    pthread_mutex_lock(&lock);
    statistics.requests++;
    statistics.mean_time_in_microseconds_over_all_requests = 12.5;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *print(void *unused)
{
    printf("%ld %g\n", statistics.requests,
           statistics.mean_time_in_microseconds_over_all_requests);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, serve, 0);
    pthread_create(&b, 0, print, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
