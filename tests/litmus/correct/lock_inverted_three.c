// A circle of three locks of three kinds, one thread after the other.
// expect: verified
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t b = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t c;
static sem_t second, third;

static void *one(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_rwlock_wrlock(&b); /* inverted */
    pthread_rwlock_unlock(&b);
    pthread_mutex_unlock(&a);
    sem_post(&second);
    return unused;
}

static void *two(void *unused)
{
    sem_wait(&second);
    pthread_rwlock_wrlock(&b);
    pthread_spin_lock(&c); /* inverted */
    pthread_spin_unlock(&c);
    pthread_rwlock_unlock(&b);
    sem_post(&third);
    return unused;
}

static void *three(void *unused)
{
    sem_wait(&third);
    pthread_spin_lock(&c);
    pthread_mutex_lock(&a); /* inverted */
    pthread_mutex_unlock(&a);
    pthread_spin_unlock(&c);
    return unused;
}

int main(void)
{
    pthread_t t[3];
    sem_init(&second, 0, 0);
    sem_init(&third, 0, 0);
    pthread_spin_init(&c, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t[0], NULL, one, NULL);
    pthread_create(&t[1], NULL, two, NULL);
    pthread_create(&t[2], NULL, three, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
