/* What a thread has written is read after its end, and before. */
#include "two_threads.h"
static int result, progress;
static void *work(void *arg)
{
    progress = 1; //! race real 1
    result = 42;  //! race spurious 2
    return arg;
}
int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int seen = progress; //! race real 1
    pthread_join(thread, NULL);
    return seen >= 0 && result == 42 ? 0 : 1; //! race spurious 2
}
