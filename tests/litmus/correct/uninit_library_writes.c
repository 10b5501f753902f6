// expect: verified
// Library functions write what they are given.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused)
{
    int number, parts[2];
    struct timespec now;
    assert(sscanf("12", "%d", &number) == 1 && number == 12);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec < 0)
        puts("long ago");
    pipe(parts);
    write(parts[1], "x", 1);
    char byte;
    assert(read(parts[0], &byte, 1) == 1 && byte == 'x');
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
