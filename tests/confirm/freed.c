/* A block is used while another thread may have freed it, and one that is freed when nobody is left. */
#include "two_threads.h"
#include <stdlib.h>
static int *early, *late;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *use(void *arg)
{
    pthread_mutex_lock(&lock);
    *late = 1;  //! fault spurious 1
    *early = 1; //! fault real 2
    pthread_mutex_unlock(&lock);
    return arg;
}
static void *give_back(void *arg)
{
    pthread_mutex_lock(&lock);
    free(early);
    pthread_mutex_unlock(&lock);
    return arg;
}
int main(void)
{
    early = malloc(sizeof *early);
    late = malloc(sizeof *late);
    run_two(use, give_back);
    free(late);
    return 0;
}
