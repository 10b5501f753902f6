/* Native functions that nothing is known of are named where they are called, also through a pointer,
 * and not where only their address is taken; those that change the library's own state are not
 * named.  Each is told of before the call and after it. */
//! event opaque 0 n @1
//! event opaque-end 0 n @1
//! event opaque 0 n @2
//! event opaque-end 0 n @2
//! event opaque 0  @3
//! event opaque-end 0  @3
//! info external swab
//! info external wcsxfrm
//! info weak 0
//! lines info external 3
//! lines info unseen 0
#define _GNU_SOURCE
#include <locale.h>
#include <unistd.h>
#include <wchar.h>
char n[] = "badc", m[5];
size_t (*called)(wchar_t *, const wchar_t *, size_t) = wcsxfrm;
int (*taken)(const wchar_t *, const wchar_t *) = wcscoll;
void t_opaque(void)
{
    swab(n, m, 4); /*@1*/
    swab(n, m, 2); /*@2*/
    localeconv();  /*@3*/
}
int main(void)
{
    t_opaque();
    return !(m[0] == 'a' && m[3] == 'd' && taken && called(NULL, L"a", 0));
}
