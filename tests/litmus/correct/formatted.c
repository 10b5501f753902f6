// Formatted text through va_lists and sscanf: what the arguments name is read and written.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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
    pthread_mutex_lock(&lock);
    strcpy(name, "two");
    sscanf("12 x", "%d", &number);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a;
    char *text, word[4];
    double real;
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    note("%*d %s %.2f%%", 3, number, name, 0.5);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    assert(strcmp(log_line, "  0 one 0.50%") == 0 || strcmp(log_line, " 12 two 0.50%") == 0);
    assert(asprintf(&text, "%s-%ld", name, 7L) == 5 && strcmp(text, "two-7") == 0);
    free(text);
    assert(sscanf("abcd 2.5", "%3[a-z]%*c %lf", word, &real) == 2);
    assert(strcmp(word, "abc") == 0 && real == 2.5);
    return 0;
}
