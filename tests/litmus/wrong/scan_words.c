// expect: violation memory
// sscanf stores a word in a local that is too short for it.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *work(void *text)
{
    char word[4];
    int number;
    if (sscanf(text, "%s %d", word, &number) == 2 && number == 0) /* violation */
        abort();
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, "abcdef 7");
    pthread_join(t, NULL);
    return 0;
}
