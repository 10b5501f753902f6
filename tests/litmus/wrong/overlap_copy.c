// expect: violation memory
// memcpy copies to memory that overlaps its source.
#include <pthread.h>
#include <string.h>

static char text[12] = "abcdefgh";

static void *work(void *unused)
{
    memcpy(text + 4, text, 4);
    memcpy(text + 2, text, 4); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
