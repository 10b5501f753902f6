// expect: verified
// The buffer is long enough for the name.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile name = "short";

static void *work(void *unused)
{
    char buffer[8];
    strcpy(buffer, name);
    puts(buffer);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
