// expect: verified
// The word and its NUL have room, whatever follows them in the text.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *text)
{
    char word[4];
    int number;
    if (sscanf(text, "%s %d", word, &number) == 2 && number == 0)
        abort();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "abc 7654321");
    pthread_join(t, NULL);
    return 0;
}
