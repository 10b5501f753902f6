// Ways into and out of calls that do not go by return: a jump, a library function that calls back,
// a pointer, recursion, the end of a thread inside a call.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

static int x, order[3] = { 3, 2, 1 };
static jmp_buf back;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void deep(int n)
{
    if (n == 0)
        x++;
    else
        deep(n - 1);
}

static void jump(void)
{
    x = 3;
    longjmp(back, 1);
}

static int compare(const void *a, const void *b)
{
    x++;
    return *(const int *)a - *(const int *)b;
}

static void at_once(void) { deep(1); }

static void (*const how[])(int) = { deep };

static void leave(void)
{
    x++;
    pthread_exit(NULL);
}

static void *first(void *arg)
{
    if (setjmp(back) == 0) {
        deep(2);
        jump();
    }
    x++;
    how[arg != NULL](3);
    qsort(order, 3, sizeof *order, compare);
    leave();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    deep(1);
    pthread_once(&once, at_once);
    pthread_join(t, NULL);
    deep(0);
    return 0;
}
