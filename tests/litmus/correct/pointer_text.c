// An address that was printed and is read back from the text.
// expect: no-violation-found
// options: --races off
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char text[32];

static void *work(void *unused)
{
    void *address;
    assert(sscanf(text, "%p", &address) == 1);
    *(int *)address = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    int x = 0;
    snprintf(text, sizeof text, "%p", (void *)&x);
    pthread_create(&t, NULL, work, NULL);
    int seen = x;
    pthread_join(t, NULL);
    assert(seen == 0 || seen == 1);
    return 0;
}
