/* One schedule, 10,000 times: after every choice the program does the same things and appends a
 * line with all that could tell one run from another to the file named by its argument.  The
 * file is outside the world, so it keeps the lines of all executions; they must be equal.
 *
 * Expected from the meaning of restoring: whatever the program can see is brought back. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int counter;
static __thread int own = 5;
static char *kept[4];
static char line[1024];
static char words[8];
static size_t used;

#define RECORD(...) (used += (size_t)snprintf(line + used, sizeof line - used, __VA_ARGS__))

static void at_end(void) { counter += 1000; }

static void *work(void *name)
{
    char local[64];
    char *text = strdup(name);
    char *big = malloc(100000);
    kept[counter] = malloc(24 + (size_t)counter);
    RECORD(" %s own=%d errno=%d stack=%p heap=%p,%p,%p", text, own++, errno, (void *)local,
           (void *)text, (void *)big, (void *)kept[counter]);
    big[99999] = 1;
    free(big);
    errno = ENOENT;
    counter++;
    if (counter == 1)
        strcpy(words, "a b c");
    char *token = strtok(counter == 1 ? words : NULL, " ");
    RECORD(" token=%s rand=%d time=%ld self=%lx", token ? token : "none", rand(),
           (long)time(NULL), (unsigned long)pthread_self());
    return text;
}

static void append(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    assert(fd >= 0);
    RECORD(" fd=%d counter=%d own=%d\n", fd, counter, own);
    assert(write(fd, line, used) == (ssize_t)used);
    /* left open: an execution's descriptors end with it */
}

int main(int argc, char **argv)
{
    assert(argc == 2);
    own = 6;
    (void)heddle_choose(100);
    (void)heddle_choose(100);
    atexit(at_end);
    for (int i = 0; i < 3; i++) {
        pthread_t t;
        void *text;
        pthread_create(&t, NULL, work, i % 2 ? "odd" : "even");
        pthread_join(t, &text);
        if (i == 1)
            free(text);
        printf("%d of a text that is buffered", i);
        setenv("HEDDLE_TEST_COUNT", i ? "more" : "one", 1);
    }
    RECORD(" env=%s", getenv("HEDDLE_TEST_COUNT"));
    unsetenv("HEDDLE_TEST_COUNT");
    append(argv[1]);
    return 0;
}
