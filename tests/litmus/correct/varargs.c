// Variable arguments, passed on and on the stack.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

static double total(int n, va_list *list)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 2 ? va_arg(*list, double) : va_arg(*list, int);
    return sum;
}

static double add(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    double once = total(n, &list), twice = total(n, &copy);
    va_end(copy);
    va_end(list);
    assert(once == twice);
    return once;
}

static void *work(void *unused)
{
    assert(add(10, 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5) == 57.5);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
