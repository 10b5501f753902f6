// expect: verified
// The array at the end of a structure is longer than it is declared.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
    int n;
    int a[2];
};

static int index_ = 4;

static void *work(void *unused)
{
    struct s *s = calloc(1, sizeof *s + 4 * sizeof(int));
    s->a[index_] = 1;
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
