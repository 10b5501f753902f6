// Handlers that signals of other threads run.  A signal is delivered before an operation of its thread, any one from the time on at which it
// is sent, or never if the thread ends before.  The operations of a thread are its accesses of shared memory, plain ones too, its calls and its
// end.  A thread that ends with k operations, counted with its end, has k + 2 executions: the sender finds that it has ended, or the signal is
// handled before one of the k, or never.  Where accesses are relaxed, sc alone does not verify.
// HOW=1: the thread stores x, then y; the handler sees them in this order.  3 operations: 5.
// HOW=2: what was written before the signal was sent happens before the handler.  1 operation: 3.
// HOW=3: what is written after the signal was sent is a race.
// HOW=4: the signal is sent, then x is stored with release.  The thread acquires that, and has still not handled the signal.
// HOW=5: the thread waits for a semaphore until its handler posts it: in every execution the handler runs before the wait.
// HOW=6: nobody posts it; the wait fails with EINTR, or goes on for ever.  HOW=7: with SA_RESTART it goes on for ever.
// HOW=8: a loop waits for what the handler of its own thread stores: the handler runs before the load, or after it has read 0: 2.
// HOW=9: the thread sends the signal that it waits for after the loop.
// HOW=10: store buffering between a handler with its thread, and another thread with a fence.  C11 has no fence at the end of a handler.
// Under tso it is a barrier: a call that changes the mask.
// HOW=11: a signal for the process, which only the thread does not block.  1 operation: 3.
// HOW=12: the same with two threads: one of them handles it.
// HOW=13: a handler runs while its thread waits for a condition variable, and the wake-up is not lost.
// HOW=14: the thread stores x, then its handler stores y with relaxed: another thread reads y, and not x.  HOW=15: with release it reads x.
// case: HOW=1 => verified; 5
// case: HOW=1 memory=tso => verified; 5
// case: HOW=1 memory=sc => no-violation-found; 5
// case: HOW=2 => verified; 3
// case: HOW=2 memory=tso => verified; 3
// case: HOW=2 memory=sc => verified; 3
// case: HOW=3 => violation data-race
// case: HOW=3 memory=sc => violation data-race
// case: HOW=4 => violation assertion
// case: HOW=4 memory=tso => violation assertion
// case: HOW=4 memory=sc => violation assertion
// case: HOW=5 => verified; 1
// case: HOW=5 memory=tso => verified; 1
// case: HOW=5 memory=sc => verified; 1
// case: HOW=6 => violation deadlock
// case: HOW=6 memory=tso => violation deadlock
// case: HOW=7 => violation deadlock
// case: HOW=7 memory=sc => violation deadlock
// case: HOW=8 => verified; 2
// case: HOW=8 memory=tso => verified; 2
// case: HOW=8 memory=sc => no-violation-found; 2
// case: HOW=9 => violation deadlock
// case: HOW=10 => violation assertion
// case: HOW=10 memory=tso => verified
// case: HOW=10 memory=sc => no-violation-found
// case: HOW=11 => verified; 3
// case: HOW=11 memory=tso => verified; 3
// case: HOW=11 memory=sc => no-violation-found; 3
// case: HOW=12 => verified
// case: HOW=12 memory=tso => verified
// case: HOW=13 => verified
// case: HOW=13 memory=tso => verified
// case: HOW=13 memory=sc => no-violation-found
// case: HOW=14 => violation assertion
// case: HOW=14 memory=tso => verified
// case: HOW=15 => verified
#define _GNU_SOURCE
#include "orders.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static pthread_t thread;
static atomic_int x, y, n;
static int data, go;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static _Thread_local volatile sig_atomic_t ran, done;

static void handler(int number)
{
    (void)number;
    ran = 1;
    switch (HOW) {
    case 1: {
        int second = load(y, memory_order_relaxed), first = load(x, memory_order_relaxed);
        never(second && !first);
        break;
    }
    case 2:
        assert(data == 1);
        break;
    case 3:
        data = 2;
        break;
    case 5:
        sem_post(&sem);
        break;
    case 4:
        store(y, 1, memory_order_relaxed);
        break;
    case 14:
    case 15:
        store(y, 1 + done, HOW == 15 ? memory_order_release : memory_order_relaxed);
        break;
    case 8:
    case 9:
    case 10:
        store(x, 1, memory_order_relaxed);
        break;
    default:
        atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
    }
}

static void *target(void *unused)
{
    int read;
    switch (HOW) {
    case 1:
        store(x, 1, memory_order_relaxed);
        store(y, 1, memory_order_relaxed);
        break;
    case 4:
        read = load(x, memory_order_acquire);
        never(read && !load(y, memory_order_relaxed));
        break;
    case 5:
    case 6:
    case 7:
        read = sem_wait(&sem) ? errno : 0;
        assert(read == (HOW == 6 ? EINTR : 0));
        break;
    case 8:
    case 9:
        while (!load(x, memory_order_relaxed))
            ;
        if (HOW == 9)
            pthread_kill(thread, SIGUSR1);
        break;
    case 10: {
        int before = ran;
        read = load(y, memory_order_relaxed);
        data = before && !read;
        break;
    }
    case 13:
        pthread_mutex_lock(&mutex);
        while (!go)
            pthread_cond_wait(&cond, &mutex);
        pthread_mutex_unlock(&mutex);
        break;
    case 14:
    case 15:
        store(x, 1, memory_order_relaxed);
        done = 1;
        break;
    default:
        break;
    }
    return unused;
}

static void send(void)
{
    if (HOW == 11 || HOW == 12) {
        kill(getpid(), SIGUSR1);
    } else if (HOW != 9) {
        pthread_kill(thread, SIGUSR1);
    }
}

static void after(void)
{
    switch (HOW) {
    case 3:
        data = 1;
        break;
    case 4:
        store(x, 1, memory_order_release);
        break;
    case 13:
        pthread_mutex_lock(&mutex);
        go = 1;
        pthread_cond_signal(&cond);
        pthread_mutex_unlock(&mutex);
        break;
    default:
        break;
    }
}

int main(void)
{
    pthread_t other;
    int read = 1, first;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = HOW == 6 ? 0 : SA_RESTART;
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&sem, 0, 0);
    pthread_create(&thread, NULL, target, NULL);
    if (HOW == 12)
        pthread_create(&other, NULL, target, NULL);
    if (HOW == 11 || HOW == 12) {
        sigset_t set;
        sigfillset(&set);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    }
    if (HOW == 2)
        data = 1;
    send();
    after();
    if (HOW == 10) {
        store(y, 1, memory_order_relaxed);
        fence(memory_order_seq_cst);
        read = load(x, memory_order_relaxed);
    }
    if (HOW == 14 || HOW == 15) {
        read = load(y, memory_order_acquire);
        first = load(x, memory_order_relaxed);
        never(read == 2 && !first);
    }
    pthread_join(thread, NULL);
    if (HOW == 12)
        pthread_join(other, NULL);
    if (HOW == 10)
        never(!read && data);
    if (HOW == 12)
        never(load(n, memory_order_relaxed) > 1);
    return 0;
}
