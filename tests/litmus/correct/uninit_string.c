// expect: verified
// The rest of the buffer is not written, and not read.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    char text[8], copy[8], made[20];
    strcpy(text, "ab");
    memcpy(copy, text, sizeof copy);
    puts(copy);
    snprintf(made, sizeof made, "%s%d", copy, 1);
    assert(strlen(made) == 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
