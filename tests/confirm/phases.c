/* A barrier between two phases. */
#include "two_threads.h"
static pthread_barrier_t barrier;
static int half[2], both;
static void *one(void *arg)
{
    half[0] = 1; //! race spurious 1
    both++;      //! race real 2
    pthread_barrier_wait(&barrier);
    return half[1] ? arg : NULL;
}
static void *two(void *arg)
{
    half[1] = 1;
    both++; //! race real 2
    pthread_barrier_wait(&barrier);
    return half[0] ? arg : NULL; //! race spurious 1
}
int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    return run_two(one, two);
}
