/* A spin lock of a compare-exchange, taken three times: who comes in which order? */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
void heddle_observe(const void *bytes, unsigned long n);
static atomic_int held;
static int order[4], n;
static void enter(int who)
{
    int free = 0;
    while (!atomic_compare_exchange_strong(&held, &free, 1))
        free = 0;
    order[n++] = who;
    held = 0;
}
static void *run(void *unused)
{
    enter(1);
    enter(2);
    return unused;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    enter(3);
    pthread_join(thread, NULL);
    heddle_observe(order, sizeof order);
    return 0;
}
