// Two threads detach the same third one at the same time.
// expect: violation misuse
// also: --reduce none => violation misuse
// also: --strategy stateful => violation misuse
#include <pthread.h>

static pthread_t third;

static void *nothing(void *unused) { return unused; }

static void *detach(void *unused)
{
    pthread_detach(third); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&third, NULL, nothing, NULL);
    pthread_create(&t, NULL, detach, NULL);
    pthread_detach(third); /* violation */
    pthread_join(t, NULL);
    return 0;
}
