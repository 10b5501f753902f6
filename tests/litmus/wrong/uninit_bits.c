// expect: violation memory
// A field of bits is read whose neighbour in the same byte was written.
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
    struct s *s = malloc(sizeof *s);
    s->a = 1;
    if (s->b == 2) /* violation */
        puts("two");
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
