// String functions read and write the program's memory as in C.
// expect: verified
#include <assert.h>
#include <ctype.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char text[64];

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    int n = snprintf(text, sizeof text, "%s-%d", "warp", 12);
    assert(n == 7 && strlen(text) == 7 && strcmp(text, "warp-12") == 0);
    strcat(text, "/weft");
    assert(strchr(text, '/') == text + 7 && strstr(text, "weft") == text + 8);
    assert(atoi(text + 5) == 12 && strtol(text + 5, NULL, 10) == 12);
    assert(toupper(text[0]) == 'W');
    char *rest, *word = strtok_r(text, "-/", &rest);
    assert(strcmp(word, "warp") == 0);
    assert(strcmp(strtok_r(NULL, "-/", &rest), "12") == 0);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
