/* Most of these programs are two threads and what they share. */
#ifndef TWO_THREADS_H
#define TWO_THREADS_H

#include <pthread.h>
#include <stddef.h>

static inline int run_two(void *(*one)(void *), void *(*two)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}

#endif
