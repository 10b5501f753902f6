// A library function that is called through a pointer reads what nobody writes meanwhile; one that
// compares is called by the library.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[8] = "line", copy[8] = "copy", sorted[3][4] = { "c", "a", "b" };
static int (*volatile print)(const char *) = puts;
static void *(*volatile copies)(void *, const void *, size_t) = memcpy;

static void *prints(void *text)
{
    print(text);
    return NULL;
}

static void *copies_it(void *unused)
{
    char mine[8];
    copies(mine, copy, sizeof mine);
    assert(copies == memcpy && strcmp(mine, "copy") == 0);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, prints, line);
    pthread_create(&u, NULL, copies_it, NULL);
    qsort(sorted, 3, 4, (int (*)(const void *, const void *))strcmp);
    assert(sorted[0][0] == 'a' && sorted[2][0] == 'c');
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    line[0] = 'L';
    copy[0] = 'C';
    return 0;
}
