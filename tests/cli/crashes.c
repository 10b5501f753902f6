/* Six threads one after the other.  Where the first comes last, the program crashes: in 120 of
 * 720 orders. */
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *add(void *first)
{
    pthread_mutex_lock(&lock);
    if (x++ == 5 && first)
        *(volatile int *)0 = 1;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t t[6];
    for (int i = 0; i < 6; i++)
        pthread_create(&t[i], 0, add, i ? 0 : &x);
    for (int i = 0; i < 6; i++)
        pthread_join(t[i], 0);
}
