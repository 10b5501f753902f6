// The text of an error is a constant, or the thread's own.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

static void *work(void *number)
{
    assert(strcmp(strerror(EAGAIN), "Resource temporarily unavailable") == 0);
    char last = *(char *)number;
    const char *text = strerror(7770 + last - '0');
    assert(text[strlen(text) - 1] == last);
    assert(strcmp(strsignal(SIGINT), "Interrupt") == 0);
    return NULL;
}

int main(void)
{
    pthread_t a;
    char one = '1', two = '2', text[64];
    pthread_create(&a, NULL, work, &one);
    work(&two);
    pthread_join(a, NULL);
    assert(strerror_r(ENOENT, text, sizeof text) != NULL);
    return 0;
}
