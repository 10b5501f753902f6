// Signals for other threads: a sender asks whether the thread has ended or was joined, then it changes the signals of the process, in
// a total order with all that look at them.  That orders as a lock would.
// HOW=1: pthread_kill of a thread in sigwait.  The thread takes the signal at once, or it finds none, and its bell rings: 2.  It knows
// what was done before the signal was sent.  HOW=2: the same with kill, and all threads block the signal: 2.
// HOW=3: what is done after the signal was sent is a race.
// HOW=4: a thread that ends: the sender finds that it has ended, or it queues a signal that nobody takes: 2.
// HOW=5: the thread may have been joined.  HOW=6: nobody sends the signal.
// HOW=7: kill, and a thread that does not block the signal, which is ignored, has ended or not: 2; the sender blocks it.
// case: HOW=1 => verified; 2
// case: HOW=1 memory=tso => verified; 2
// case: HOW=1 memory=sc => verified; 2
// case: HOW=2 => verified; 2
// case: HOW=2 memory=tso => verified; 2
// case: HOW=2 memory=sc => verified; 2
// case: HOW=3 => violation data-race
// case: HOW=4 => verified; 2
// case: HOW=4 memory=tso => verified; 2
// case: HOW=4 memory=sc => verified; 2
// case: HOW=5 => violation misuse
// case: HOW=5 memory=tso => violation misuse
// case: HOW=6 => violation deadlock
// case: HOW=7 => verified; 2
// case: HOW=7 memory=tso => verified; 2
#define _GNU_SOURCE
#include "orders.h"

#include <signal.h>
#include <unistd.h>

static pthread_t thread;
static int data;

static void *taker(void *set)
{
    int number;
    if (HOW == 4 || HOW == 5 || HOW == 7)
        return NULL;
    sigwait(set, &number);
    assert(number == SIGUSR1 && data == 1);
    return NULL;
}

static void *sender(void *unused)
{
    pthread_kill(thread, SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t other;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (HOW == 7)
        signal(SIGUSR1, SIG_IGN);
    else
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, taker, &set);
    if (HOW == 7)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (HOW == 5) {
        pthread_create(&other, NULL, sender, NULL);
        pthread_join(thread, NULL);
        pthread_join(other, NULL);
        return 0;
    }
    if (HOW != 3)
        data = 1;
    if (HOW == 2 || HOW == 7)
        kill(getpid(), SIGUSR1);
    else if (HOW != 6)
        pthread_kill(thread, SIGUSR1);
    if (HOW == 3)
        data = 1;
    pthread_join(thread, NULL);
    return 0;
}
