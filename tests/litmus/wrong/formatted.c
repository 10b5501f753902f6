// A logger prints a string that is changed meanwhile: the line is neither the one nor the other.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char log_line[64], name[8] = "one";
static int number;

static void note(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(log_line, sizeof log_line, format, args);
    va_end(args);
}

static void *worker(void *unused)
{
    sscanf("12", "%d", &number);
    strcpy(name, "two");
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    int seen = number;
    note("%d %s", seen, name);
    assert(strcmp(log_line, "0 two") != 0); /* violation */
    pthread_join(a, NULL);
    return 0;
}
