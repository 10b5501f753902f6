// expect: verified
// memmove moves a text by one place.
#include <pthread.h>
#include <string.h>

static char text[12] = "abcdefgh";

static void *work(void *unused)
{
    memmove(text + 1, text, strlen(text) + 1);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
