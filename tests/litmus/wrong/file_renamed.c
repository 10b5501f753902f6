// A file is written under its name: another thread may read the beginning.
// expect: violation assertion
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *publish(void *unused)
{
    FILE *f = fopen("heddle-litmus-text", "w");
    assert(f && fputs("one ", f) >= 0 && fflush(f) == 0);
    assert(fputs("two", f) >= 0 && fclose(f) == 0);
    return unused;
}

int main(void)
{
    pthread_t t;
    char text[16] = "";
    pthread_create(&t, NULL, publish, NULL);
    int fd = open("heddle-litmus-text", O_RDONLY);
    if (fd >= 0) {
        assert(read(fd, text, sizeof text - 1) >= 0);
        assert(strcmp(text, "one two") == 0); /* violation */
        close(fd);
    }
    pthread_join(t, NULL);
    return remove("heddle-litmus-text");
}
