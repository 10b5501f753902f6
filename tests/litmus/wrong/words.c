// strtok keeps its place in one variable for all threads.
// expect: violation assertion data-race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *work(void *text)
{
    char *first = strtok(text, " ");      /* race */
    char *second = strtok(NULL, " ");     /* race */
    assert(first && second == first + 2); /* violation */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    static char one[] = "a b", two[] = "c d";
    pthread_create(&a, NULL, work, one);
    pthread_create(&b, NULL, work, two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
