// Two threads have strtol tell them the end of a number in the same variable.
// expect: violation assertion data-race
// options: --keep-going
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static char *end;

static void *work(void *unused)
{
    strtol("7 weft", &end, 10); /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    strtol("12 warp", &end, 10);                       /* race */
    assert(end[1] == 'w' && end[2] == 'a'); /* race */ /* violation */
    pthread_join(t, NULL);
    return 0;
}
