// Two threads store one half each of a variable that main has stored whole.  Nothing orders these stores, and there is no data race.
// Which of them comes later in the modification order of the whole variable must say nothing about the loads around them: each of
// the two may read 0, but not both.  Three executions: both loads read 1, or one of them reads 0.  LAST: for each of these the addition comes
// before the store, after the load, or between them.  Thread 0 stores its half again behind a load that the addition revisits, so the two
// last stores run in another order than they have in the modification order.
// case: memory=sc FIRST=0 => verified; 3
// case: memory=tso FIRST=0 => verified; 3
// case: FIRST=0 => verified; 3
// case: memory=sc FIRST=0 READS=0 => violation assertion
// case: memory=tso FIRST=0 READS=0 => violation assertion
// case: FIRST=0 READS=0 => violation assertion
// case: memory=sc FIRST=0 READS=1 => violation assertion
// case: memory=tso FIRST=0 READS=1 => violation assertion
// case: FIRST=0 READS=1 => violation assertion
// case: memory=sc FIRST=1 => verified; 3
// case: memory=sc FIRST=1 READS=0 => violation assertion
// case: memory=sc FIRST=1 READS=1 => violation assertion
// case: memory=sc FIRST=0 LAST=1 => verified; 9
// case: memory=tso FIRST=0 LAST=1 => verified; 9
// case: FIRST=0 LAST=1 => verified; 9
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static union {
    long whole;
    int half[2];
} shared;
static atomic_int flag[2], last;
static sem_t begin[2], end[2];
static int read[2];

static void *work(void *arg)
{
    int me = *(int *)arg;
    sem_wait(&begin[me]);
    shared.half[me ^ FIRST] = 1;
    atomic_store(&flag[me], 1);
    shared.half[me ^ FIRST] = 2;
    read[me] = atomic_load(&flag[!me]);
#ifdef LAST
    if (me)
        shared.half[me ^ FIRST] = 3, atomic_fetch_add(&last, 1);
    else
        atomic_store(&last, 2), (void)atomic_load(&last), shared.half[me ^ FIRST] = 3;
    sem_post(&end[me]);
#endif
    return NULL;
}

int main(void)
{
    pthread_t id[2];
    int name[2] = { 0, 1 };
    for (int i = 0; i < 2; i++) {
        sem_init(&begin[i], 0, 0);
        sem_init(&end[i], 0, 0);
        pthread_create(&id[i], NULL, work, &name[i]);
    }
    shared.whole = 0;
    for (int i = 0; i < 2; i++)
        sem_post(&begin[i]);
#ifdef LAST
    for (int i = 0; i < 2; i++)
        sem_wait(&end[i]);
    assert(
        shared.whole ==
        0x300000003); // the threads are still there, and so the value is that of the newest store
    shared.whole = 0x200000002;
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    assert(shared.whole == 0x200000002);
#ifdef READS
    assert(read[READS]);
#else
    assert(read[0] || read[1]);
#endif
    return 0;
}
