// expect: violation memory
// strcpy of a long name into a short local buffer.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *volatile name = "a name that is longer than eight bytes";

static void *work(void *unused)
{
    char buffer[8];
    strcpy(buffer, name); /* violation */
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
