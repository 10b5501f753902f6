// expect: violation memory
// The text has no end: the bytes after its letters were never written.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    char text[8];
    text[0] = 'a';
    text[1] = 'b';
    puts(text); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
