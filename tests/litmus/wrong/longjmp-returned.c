// expect: violation crash
// The function that called setjmp has returned: its frame does not exist any more.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf there;

static int __attribute__((noinline)) set(void) { return setjmp(there); }

static void *work(void *arg)
{
    if (set() == 0)
        longjmp(there, 1); /* violation */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
