// As output_into_file of the correct ones, but what is printed is still in the buffer when the file is read.
// expect: violation assertion
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void *nothing(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    char got[20] = "";
    char path[40];
    pthread_create(&t, NULL, nothing, NULL);
    int fd = memfd_create("output", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (fd < 0 || !freopen(path, "w", stdout))
        return 0;
    puts("opened again");
    FILE *f = fopen(path, "r");
    assert(f && fgets(got, sizeof got, f));
    pthread_join(t, NULL);
    return 0;
}
