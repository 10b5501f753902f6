// What is scanned from a stream is looked at before it is there.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *file;
static char word[16];
static int number;

static void *work(void *unused)
{
    fscanf(file, "%d %s", &number, word); /* race */
    return unused;
}

int main(void)
{
    pthread_t t;
    file = tmpfile();
    if (file == NULL)
        return 0;
    fputs("12 warp\n", file);
    rewind(file);
    pthread_create(&t, NULL, work, NULL);
    int seen = number;                        /* race */
    assert(!seen && word[0] == 0); /* race */ /* violation */
    pthread_join(t, NULL);
    return 0;
}
