// expect: violation assertion
// options: --races off
// also: --races off --reduce sleep => violation assertion
// also: --races off --reduce none => violation assertion
// The text is scanned at one moment: before the write or behind it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char input[] = "77";
static int parsed;

static void *scan(void *unused)
{
    sscanf(input, "%d", &parsed);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, scan, NULL);
    input[0] = '8';
    pthread_join(thread, NULL);
    assert(parsed == 87); /* violation */
}
