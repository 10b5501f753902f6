// expect: violation memory
// The index leaves the array in the structure and hits its neighbour.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
    int a[4], after;
};

static int index_ = 4;

static void *work(void *unused)
{
    struct s *s = calloc(1, sizeof *s);
    s->a[index_] = 1; /* violation */
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
