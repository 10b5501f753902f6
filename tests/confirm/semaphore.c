/* A semaphore keeps two threads apart; another one lets both in. */
#include "two_threads.h"
#include <semaphore.h>
static sem_t one_seat, two_seats;
static int narrow, wide;
static void *one(void *arg)
{
    sem_wait(&one_seat);
    narrow++; //! race spurious 1
    sem_post(&one_seat);
    sem_wait(&two_seats);
    wide++; //! race real 2
    sem_post(&two_seats);
    return arg;
}
static void *two(void *arg)
{
    sem_wait(&one_seat);
    narrow--; //! race spurious 1
    sem_post(&one_seat);
    sem_wait(&two_seats);
    wide--; //! race real 2
    sem_post(&two_seats);
    return arg;
}
int main(void)
{
    sem_init(&one_seat, 0, 1);
    sem_init(&two_seats, 0, 2);
    return run_two(one, two);
}
