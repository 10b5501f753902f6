// expect: verified
// Memory of variable-length arrays that have ended, by return, longjmp or the end of a scope,
// is used again: by arrays, by callbacks of library functions, by variable arguments.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static volatile int length = 3;
static jmp_buf back;

static void leave(int n)
{
    int a[n];
    memset(a, 1, sizeof a);
    if (a[0])
        longjmp(back, 1);
}

static int sum(int n, ...)
{
    va_list list;
    int a[n], all = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        a[i] = va_arg(list, int);
    va_end(list);
    for (int i = 0; i < n; i++)
        all += a[i];
    return all;
}

static int compare(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return a < b ? -1 : a > b;
}

static int depths(int n)
{
    if (n == 0)
        return 0;
    int a[n], *p = a;
    for (int i = 0; i < n; i++)
        p[i] = n;
    int below = depths(n - 1);
    return below + p[n - 1];
}

static void *work(void *unused)
{
    int n = length * 10, a[n];
    for (int i = 0; i < n; i++) {
        int b[i + 1], *p = b;
        p[i] = n - i;
        a[i] = p[i];
        if (i % 3 == 1)
            continue;
    }
    if (setjmp(back) == 0)
        leave(100);
    qsort(a, (size_t)n, sizeof *a, compare);
    assert(a[0] == 1 && a[n - 1] == n);
    assert(sum(9, 1, 1, 1, 1, 1, 1, 1, 1, 1) == 9);
    assert(depths(10) == 55);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
