// Threads print; printing is no visible action.
// expect: verified
// executions: 1
// (the threads share nothing else)
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *work(void *name)
{
    printf("%s: %d %5.2f\n", (char *)name, 42, 3.14159);
    fprintf(stderr, "%s\n", (char *)name);
    puts("line");
    putchar('x');
    fputs("text\n", stdout);
    fflush(stdout);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, "first");
    pthread_create(&b, NULL, work, "second");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
