// expect: violation memory
// The second of two threads to append to a global writes the NUL after its end.
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char line[8];
static int behind[4];

static void *work(void *text)
{
    pthread_mutex_lock(&lock);
    char *end = line + strlen(line);
    sprintf(end, "%s", (const char *)text); /* violation */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, "abcd");
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return behind[0];
}
