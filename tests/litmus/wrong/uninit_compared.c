// expect: violation memory
// memcmp compares the bytes between the members of two structures, which were never written.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct key {
    char kind;
    int number;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct key *known;
static int hits;

static void *look_up(void *unused)
{
    struct key *k = malloc(sizeof *k);
    k->kind = 'a';
    k->number = 7;
    pthread_mutex_lock(&lock);
    if (known == NULL) {
        known = k;
        k = NULL;
    } else if (memcmp(known, k, sizeof *k) == 0) { /* violation */
        hits++;
    }
    pthread_mutex_unlock(&lock);
    free(k);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, look_up, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    free(known);
    return hits == 1 ? 0 : 1;
}
