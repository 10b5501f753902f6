/* Native functions that nothing is known of are named, once, also when only their address is
 * taken; those that change the library's own state are not.  Each is told of before the call and
 * behind it. */
//! event opaque 0 n @1
//! event opaque-end 0 n @1
//! event opaque 0 n @2
//! event opaque-end 0 n @2
//! event opaque 0  @3
//! event opaque-end 0  @3
//! info external qsort_r
//! info external wcscoll
//! info weak 0
//! lines info external 2
#define _GNU_SOURCE
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>
int n[] = { 3, 1, 2 };
int (*taken)(const wchar_t *, const wchar_t *) = wcscoll;
static int compare(const void *a, const void *b, void *unused)
{
    (void)unused;
    return *(const int *)a - *(const int *)b;
}
void t_opaque(void)
{
    qsort_r(n, 3, sizeof *n, compare, 0); /*@1*/
    qsort_r(n, 3, sizeof *n, compare, 0); /*@2*/
    localeconv();                         /*@3*/
}
int main(void)
{
    t_opaque();
    return !(n[0] == 1 && n[2] == 3 && taken);
}
