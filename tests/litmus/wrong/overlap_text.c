// expect: violation memory
// strcpy moves a text by one place, over itself.
#include <pthread.h>
#include <string.h>

static char text[12] = "abcdefgh";

static void *work(void *unused)
{
    strcpy(text + 1, text); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
