// Two threads store one half each of a variable that main has stored whole.  Nothing orders these stores, and there is no data race.
// Which of them comes later in the modification order of the whole variable must say nothing about the loads around them: each of
// the two may read 0, but not both.  Three executions: both loads read 1, or one of them reads 0.
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
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static union {
    long whole;
    int half[2];
} shared;
static atomic_int flag[2];
static sem_t begin[2];
static int read[2];

static void *work(void *arg)
{
    int me = *(int *)arg;
    sem_wait(&begin[me]);
    shared.half[me ^ FIRST] = 1;
    atomic_store(&flag[me], 1);
    shared.half[me ^ FIRST] = 2;
    read[me] = atomic_load(&flag[!me]);
    return NULL;
}

int main(void)
{
    pthread_t id[2];
    int name[2] = { 0, 1 };
    for (int i = 0; i < 2; i++) {
        sem_init(&begin[i], 0, 0);
        pthread_create(&id[i], NULL, work, &name[i]);
    }
    shared.whole = 0;
    for (int i = 0; i < 2; i++)
        sem_post(&begin[i]);
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
