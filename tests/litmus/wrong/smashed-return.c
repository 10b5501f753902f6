// expect: violation memory
// A string that is too long for its array would overwrite where the function returns to.
#include <pthread.h>
#include <string.h>

static char *volatile name =
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static int __attribute__((noinline)) smash(void)
{
    char text[8];
    strcpy(text, name); /* violation */
    return text[3];
}

static void *work(void *arg)
{
    smash();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
