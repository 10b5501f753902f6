// expect: violation crash
// The kernel would only refuse the buffer, and nobody looks at the result.
#include <pthread.h>
#include <stdio.h>

static char *volatile text = (char *)8;

static void *print(void *arg)
{
    fwrite(text, 1, 4, stdout); /* violation */
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, print, NULL);
    pthread_join(thread, NULL);
    return 0;
}
