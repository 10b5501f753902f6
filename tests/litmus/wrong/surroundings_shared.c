// expect: violation data-race
// Two threads ask for the name of the machine and store it in the same place.
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char host[256];

static void *work(void *unused)
{
    gethostname(host, sizeof host); /* race */
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
