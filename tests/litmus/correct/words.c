// Words are cut out by strtok under a lock, and by strsep and strtok_r with a place of their own.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *text)
{
    char own[] = "x,,y", *rest = own;
    assert(strcmp(strsep(&rest, ","), "x") == 0);
    assert(strcmp(strsep(&rest, ","), "") == 0);
    assert(strcmp(strsep(&rest, ","), "y") == 0);
    assert(rest == NULL && strsep(&rest, ",") == NULL);
    pthread_mutex_lock(&lock);
    char *first = strtok(text, " ");
    char *second = strtok(NULL, " ");
    assert(first && second == first + 2 && strlen(first) == 1);
    assert(strtok(NULL, " ") == NULL && strtok(NULL, " ") == NULL);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    static char one[] = "a b", two[] = " c d ";
    pthread_create(&a, NULL, work, one);
    pthread_create(&b, NULL, work, two + 1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
