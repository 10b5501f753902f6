// The first line is read by one of two threads, the second by the other, whoever comes first.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int lines;

static void *take(void *unused)
{
    char line[200];
    pthread_mutex_lock(&lock);
    long before = ftell(file);
    assert(fgets(line, sizeof line, file));
    assert(strncmp(line, lines++ ? "// expect" : "// The first", 9) == 0);
    assert(ftell(file) == before + (long)strlen(line));
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    file = fopen(__FILE__, "r");
    assert(file);
    pthread_create(&id, NULL, take, NULL);
    take(NULL);
    pthread_join(id, NULL);
    rewind(file);
    assert(fgetc(file) == '/');
    fclose(file);
    return 0;
}
