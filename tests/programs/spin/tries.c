/* A thread that waits for another, but not for ever: how often it has looked is a result. */
#include <pthread.h>
#include <stddef.h>
void heddle_observe(const void *bytes, unsigned long n);
static int turn, data, got[2];
static void *other(void *unused)
{
    int tries = 0;
    while (turn != 1 && tries < 3)
        tries++;
    got[0] = tries;
    data++;
    turn = 2;
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    data = 5;
    turn = 1;
    while (turn != 2)
        ;
    got[1] = data;
    pthread_join(thread, NULL);
    heddle_observe(got, sizeof got);
    return 0;
}
