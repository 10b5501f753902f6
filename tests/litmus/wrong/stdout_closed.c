// expect: violation memory
// A thread closes the standard output, and another prints when it likes.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused)
{
    fclose(stdout);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    printf("hello\n"); /* violation */
    pthread_join(t, NULL);
    return 0;
}
