/* strtok_r, written out. */
//! event will-read 9 text @1
//! event will-write 1 text @1
//! event will-read 5  @2
//! event will-write 1  @2
//! event will-read 2  @3
//! event will-read 1  @4
#include <string.h>
char text[] = " ab, c,d";
int t_tokens(void)
{
    char *save, *a, *b, *c, *d;
    a = strtok_r(text, ", ", &save); /*@1*/
    b = strtok_r(NULL, ", ", &save); /*@2*/
    c = strtok_r(NULL, ", ", &save); /*@3*/
    d = strtok_r(NULL, ", ", &save); /*@4*/
    return a == text + 1 && b == text + 5 && c == text + 7 && d == NULL;
}
int main(void) { return !(t_tokens() && memcmp(text, " ab\0 c\0d", 9) == 0); }
