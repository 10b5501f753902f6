/* A read-write lock of one's own: the first reader locks writers out, but the count of
 * readers is not protected. */
// expect: violation assertion
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static atomic_int readers, writing;

static void begin_read(void)
{
    if (readers++ == 0)
        sem_wait(&room);
}

static void end_read(void)
{
    if (--readers == 0)
        sem_post(&room);
}

static void *reader(void *unused)
{
    begin_read();
    assert(!writing);
    end_read();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&room, 0, 1);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    sem_wait(&room);
    writing = 1;
    writing = 0;
    sem_post(&room);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
