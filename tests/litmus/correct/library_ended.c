// expect: verified
// The function returns the address of memory that its caller has given it.
#include <pthread.h>
#include <stdio.h>

static const char *label(char *text, int i)
{
    snprintf(text, 16, "t%d", i);
    return text;
}

static void *work(void *unused)
{
    char text[16];
    printf("%s\n", label(text, 3));
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
