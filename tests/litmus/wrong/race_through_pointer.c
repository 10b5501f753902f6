// A library function that is called through a pointer touches the program's memory all the same.
// expect: violation data-race
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char line[8] = "line";
static int (*volatile print)(const char *) = puts;

static void *prints(void *text)
{
    print(text);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, prints, line);
    line[0] = 'L';
    pthread_join(t, NULL);
    return 0;
}
