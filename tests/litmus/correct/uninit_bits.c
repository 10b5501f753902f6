// expect: verified
// Writing a field of bits keeps the others as they are, undefined, and reads none of them.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
    unsigned a : 3, b : 5;
};

static void *work(void *unused)
{
    struct s *s = malloc(sizeof *s), other;
    s->a = 1;
    s->a += 2;
    assert(s->a == 3);
    other.b = 7;
    other.b++;
    assert(other.b == 8);
    free(s);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
