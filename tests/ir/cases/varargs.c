/* Variable arguments work. */
#include <stdarg.h>
static int sum(int n, ...)
{
    va_list ap, again;
    int total = 0;
    va_start(ap, n);
    va_copy(again, ap);
    for (int i = 0; i < n; i++)
        total += va_arg(ap, int);
    for (int i = 0; i < n; i++)
        total += va_arg(again, int);
    va_end(again);
    va_end(ap);
    return total;
}
int main(void) { return sum(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) != 90; }
