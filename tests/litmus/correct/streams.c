// Lines and numbers are read from a stream, by one thread at a time.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static char *line, word[16];
static size_t room;
static int number, turn;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    if (turn++ == 0) {
        assert(fscanf(file, "%d %s ", &number, word) == 2);
        assert(number == 12 && strcmp(word, "warp") == 0);
    } else {
        assert(getline(&line, &room, file) == 5 && strcmp(line, "weft\n") == 0);
        assert(getline(&line, &room, file) == -1);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    file = tmpfile();
    if (file == NULL)
        return 0;
    fputs("12 warp\nweft\n", file);
    rewind(file);
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    free(line);
    return 0;
}
