// Two threads have the text of an error made in the same memory.
// expect: violation assertion data-race
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static char text[64];

static void *work(void *unused)
{
    strerror_r(EAGAIN, text, sizeof text); /* race */
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, work, NULL);
    strerror_r(ENOENT, text, sizeof text); /* race */
    assert(text[0] == 'N'); /* race */     /* violation */
    pthread_join(a, NULL);
    return 0;
}
