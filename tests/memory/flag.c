// Loops that wait for a variable that is not atomic, under the model of x86.  There a data race is
// no violation, and what its accesses read is explored.  Iterations that find nothing are left
// out, so there are finitely many executions.
//
// SHAPE=1: stores become visible in the order of the program: who has seen the flag sees the data.
// SHAPE=2: the same, with a loop that calls a function and yields.
// SHAPE=3: the same with a flag that is not volatile, and an attempt in the loop.
// SHAPE=4: nobody sets the flag.
// SHAPE=5: Peterson's lock.  Without a barrier (FENCE) the store of want[me] may be in the buffer
// when the other thread reads it, so both may enter.
// Under sequential consistency and C11 the loads of these loops race.
//
// case: memory=tso SHAPE=1 => verified
// case: memory=tso SHAPE=2 => verified
// case: memory=tso SHAPE=3 => verified
// case: memory=tso SHAPE=4 => violation livelock
// case: memory=tso SHAPE=5 FENCE=1 => verified
// case: memory=tso SHAPE=5 FENCE=0 => violation assertion
// case: memory=sc SHAPE=1 => violation data-race
// case: memory=sc SHAPE=3 => violation data-race
// case: SHAPE=1 => violation data-race
// case: SHAPE=2 => violation data-race
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static volatile int flag, want[2], turn;
static int plain_flag, data;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int is_set(void)
{
    if (flag == 2)
        return 2;
    return flag;
}

static void await(void)
{
    switch (SHAPE) {
    case 2:
        while (!is_set())
            sched_yield();
        return;
    case 3:
        while (!plain_flag)
            if (pthread_mutex_trylock(&mutex) == 0)
                assert(0); /* main holds it */
        return;
    default:
        while (!flag)
            ;
    }
}

static void *receive(void *unused)
{
    await();
    assert(data == 42);
    return unused;
}

static int inside;

static void *enter(void *arg)
{
    int me = arg != 0;
    want[me] = 1;
    turn = 1 - me;
#if SHAPE == 5 && FENCE
    atomic_thread_fence(memory_order_seq_cst);
#endif
    while (want[1 - me] && turn == 1 - me)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    want[me] = 0;
    return 0;
}

int main(void)
{
    pthread_t a, b;
    if (SHAPE == 5) {
        pthread_create(&a, 0, enter, 0);
        pthread_create(&b, 0, enter, &b);
        pthread_join(a, 0);
        pthread_join(b, 0);
        return 0;
    }
    pthread_mutex_lock(&mutex);
    pthread_create(&a, 0, receive, 0);
    data = 42;
    if (SHAPE == 3)
        plain_flag = 1;
    else
        flag = SHAPE != 4;
    pthread_join(a, 0);
    pthread_mutex_unlock(&mutex);
}
