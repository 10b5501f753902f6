// Two threads take turns; the signal that nobody waits for is lost without harm.
// expect: verified
// also: --memory rc11 => verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

static pthread_mutex_t lock;
static pthread_cond_t turned[2];
static int turn;
static int rounds;

static void *play(void *arg)
{
    intptr_t me = (intptr_t)arg;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (turn != me)
            pthread_cond_wait(&turned[me], &lock);
        assert(rounds % 2 == me);
        rounds++;
        turn = 1 - turn;
        pthread_cond_signal(&turned[turn]);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&turned[0], NULL);
    pthread_cond_init(&turned[1], NULL);
    pthread_create(&a, NULL, play, (void *)(intptr_t)0);
    pthread_create(&b, NULL, play, (void *)(intptr_t)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(rounds == 4);
    pthread_cond_destroy(&turned[0]);
    pthread_cond_destroy(&turned[1]);
    pthread_mutex_destroy(&lock);
    return 0;
}
