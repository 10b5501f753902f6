// expect: verified
// Structures that are only partly written may be copied, passed and returned.
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

static int look(struct s s) { return s.x; }

static void *work(void *unused)
{
    struct s a = make(3), *b = malloc(sizeof *b), c;
    *b = a;
    memcpy(&c, b, sizeof c);
    b = realloc(b, 100);
    assert(look(c) == 3 && look(*b) == 3);
    free(b);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
