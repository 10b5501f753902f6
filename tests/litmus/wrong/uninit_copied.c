// expect: violation memory
// The structure is copied three times, and then a field that nobody wrote is looked at.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
    char c;
    int x;
    double d;
};

static struct s make(int x)
{
    struct s s;
    s.x = x;
    return s;
}

static void *work(void *unused)
{
    struct s a = make(3), *b = malloc(sizeof *b), c;
    *b = a;
    memcpy(&c, b, sizeof c);
    free(b);
    if (c.d > 0) /* violation */
        puts("positive");
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
