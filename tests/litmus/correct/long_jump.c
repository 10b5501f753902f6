// longjmp out of nested calls within a thread, with the lock state as the program left it.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread jmp_buf back;
static int shared;

static void deeper(int n)
{
    if (n == 0)
        longjmp(back, 5);
    deeper(n - 1);
}

static void *work(void *unused)
{
    volatile int tries = 0;
    pthread_mutex_lock(&lock);
    int code = setjmp(back);
    if (code == 0) {
        tries++;
        shared++;
        deeper(3);
    }
    pthread_mutex_unlock(&lock);
    assert(code == 5 && tries == 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(shared == 2);
    return 0;
}
