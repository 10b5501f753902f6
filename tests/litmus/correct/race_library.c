// The same with a lock around both calls.
// expect: verified
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char name[8] = "x";

static void *rename_it(void *unused)
{
    pthread_mutex_lock(&m);
    strcpy(name, "yz");
    pthread_mutex_unlock(&m);
    return unused;
}

static void *show(void *unused)
{
    char line[32];
    pthread_mutex_lock(&m);
    snprintf(line, sizeof line, "%s", name);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, rename_it, NULL);
    pthread_create(&b, NULL, show, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
