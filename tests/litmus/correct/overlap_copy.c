// expect: verified
// memmove may copy to memory that overlaps its source, and memcpy to memory beside it.
#include <pthread.h>
#include <string.h>

static char text[12] = "abcdefgh";

static void *work(void *unused)
{
    memcpy(text + 4, text, 4);
    memmove(text + 2, text, 4);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
