// Between the joins of threads that have ended the program crashes in some of the orders; the
// exploration goes on after it.
// expect: violation crash
// options: --keep-going
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;
static int place[3];

static void *work(void *mine)
{
    *(int *)mine = ++x;
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, work, &place[i]);
    for (int i = 0; i < 3; i++) {
        if (i == 2 && place[0] == 3)
            *(volatile int *)0 = 1; /* violation */
        pthread_join(t[i], NULL);
    }
    return 0;
}
