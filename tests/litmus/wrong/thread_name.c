// A thread assumes that it already has its name.
// expect: violation assertion
// cc-flags: -D_GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *work(void *unused)
{
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    assert(strcmp(name, "worker") == 0); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_setname_np(pthread_self(), "main");
    pthread_create(&t, NULL, work, NULL);
    pthread_setname_np(t, "worker");
    pthread_join(t, NULL);
    return 0;
}
