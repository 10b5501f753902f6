// The semaphore is made with 2.
// expect: violation assertion data-race
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static int inside;

static void *work(void *unused)
{
    sem_t *sem = sem_open("/heddle-litmus", O_CREAT, 0600, 2);
    assert(sem != SEM_FAILED);
    sem_wait(sem);
    assert(inside == 0); /* violation */
    inside = 1;
    inside = 0;
    sem_post(sem);
    sem_close(sem);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sem_unlink("/heddle-litmus") == 0);
    assert(sem_unlink("/heddle-litmus") == -1 && errno == ENOENT);
    assert(sem_open("/heddle-litmus", 0) == SEM_FAILED && errno == ENOENT);
    return 0;
}
