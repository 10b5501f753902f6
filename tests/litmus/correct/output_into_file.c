// The program puts a file in the place of its standard output, in each of three ways, prints, and reads the file: what
// was printed is there, in every execution anew.
// expect: verified
// also: --strategy brute => verified
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[40];

static void holds(const char *wanted)
{
    char got[20] = "";
    FILE *f = fopen(path, "r");
    assert(f && fgets(got, sizeof got, f) && strcmp(got, wanted) == 0);
    fclose(f);
}

static void *nothing(void *unused) { return unused; }

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, nothing, NULL);
    int fd = memfd_create("output", 0), before = dup(1);
    assert(fd >= 0 && before >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dup2(fd, 1);
    printf("duplicated\n");
    fflush(stdout);
    dup2(before, 1);
    printf("shown\n");
    holds("duplicated\n");

    FILE *f = fopen(path, "w");
    fputs("flushed\n", f);
    fflush(NULL);
    holds("flushed\n");
    fclose(f);

    assert(freopen(path, "w", stdout));
    puts("opened again");
    fflush(stdout);
    holds("opened again\n");

    pthread_join(t, NULL);
    return 0;
}
