/* Library calls that touch the program's memory. */
//! event will-read 6 a @1
//! event will-read 6 a @2
//! event copy 6 b @2
//! event will-read 6 b @3
//! event will-read 6 a @3
//! event will-read 6 a @4
//! event will-read 5 b @5
//! event will-read 5 a @5
//! event will-read 6 b @6
//! event write 2 b @6
//! event read 1 b[] @7
//! event copy 3 b[] @8
//! event fill 4 b @9
//! event will-read 6 a @10
//! event will-write 9 b @10
//! event keep 4
//! event will-read 3 n @11
//! event will-write 8 end @11
//! event will-read 6 a @12
//! event copy 5 b @12
//! event fill 3 b @12
//! event will-read 6 a @13
//! out hello
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
char a[16] = "hello", b[32], n[] = "42";
char *end;
int t_strings(void)
{
    int ok = 1;
    ok &= strlen(a) == 5;                             /*@1*/
    strcpy(b, a);                                     /*@2*/
    ok &= strcmp(b, a) == 0;                          /*@3*/
    ok &= strchr(a, 'l') == a + 2;                    /*@4*/
    ok &= memcmp(b, a, 5) == 0;                       /*@5*/
    strcat(b, "!");                                   /*@6*/
    ok &= b[5] == '!';                                /*@7*/
    memcpy(b + 1, a, 3);                              /*@8*/
    memset(b, 'x', 4);                                /*@9*/
    ok &= snprintf(b, sizeof b, "<%s>%d", a, 7) == 8; /*@10*/
    ok &= strtol(n, &end, 10) == 42;                  /*@11*/
    strncpy(b, a, 8);                                 /*@12*/
    printf("%s\n", a);                                /*@13*/
    return ok;
}
int main(void)
{
    int ok = t_strings();
    return !(ok && strcmp(b, "hello") == 0 && *end == 0 && end == n + 2);
}
