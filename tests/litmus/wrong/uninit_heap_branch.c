// expect: violation memory
// A field of a fresh block decides a branch before anybody has written it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct s {
    int ready, data;
};

static void *work(void *unused)
{
    struct s *s = malloc(sizeof *s);
    s->data = 1;
    if (s->ready) /* violation */
        puts("ready");
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
