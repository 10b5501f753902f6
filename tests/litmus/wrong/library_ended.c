// expect: violation memory
// A function returns the address of a local that it has printed into, and its caller prints that.
#include <pthread.h>
#include <stdio.h>

static const char *label(int i)
{
    char text[16], *p = text;
    snprintf(p, sizeof text, "t%d", i);
    return p;
}

static void *work(void *unused)
{
    printf("%s\n", label(3)); /* violation */
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
