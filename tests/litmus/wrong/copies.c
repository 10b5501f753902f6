// memccpy copies a byte that another thread writes.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char from[16] = "warp;weft", to[16];

static void *work(void *unused)
{
    from[1] = 'o'; /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    memccpy(to, from, ';', sizeof from); /* race */
    assert(to[1] == 'a');                /* violation */
    pthread_join(t, NULL);
    return 0;
}
