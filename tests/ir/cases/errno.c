/* Library functions that may set errno: it is kept. */
//! event read 8 minus @1
//! event keep 4
//! event keep 4
#include <errno.h>
#include <math.h>
#include <stdlib.h>
volatile double minus = -1;
int t_errno(void)
{
    double x = minus; /*@1*/
    double y = log(x);
    long l = strtol("99999999999999999999", NULL, 10);
    return y != y && l > 0 && errno == ERANGE;
}
int main(void) { return !t_errno(); }
