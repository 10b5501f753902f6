// Functions of string.h whose extent the memory's contents tell do not touch what lies after.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char from[16] = "warp;weft", to[16], padded[8], key[8];
static int behind;

static void *work(void *unused)
{
    from[6] = 'o'; /* after the semicolon */
    to[6] = 'x';
    behind = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    assert(memccpy(to, from, ';', sizeof from) == to + 5);
    assert(rawmemchr(from, ';') == from + 4);
    assert(stpncpy(padded, "ab", sizeof padded) == padded + 2);
    assert(strxfrm(key, "abc", sizeof key) == 3);
    pthread_join(t, NULL);
    assert(memcmp(to, "warp;\0x", 7) == 0 && behind && padded[7] == 0 && strcmp(key, "abc") == 0);
    return 0;
}
