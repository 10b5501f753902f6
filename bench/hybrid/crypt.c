/* Crypt (Java Grande): every thread enciphers and deciphers a part of one array of its own. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#define PART 4

static unsigned plain[THREADS * PART], cipher[THREADS * PART], back[THREADS * PART];
static unsigned key = 0x9e37;

static void *part(void *arg)
{
    int first = *(int *)arg;
    for (int i = first; i < first + PART; i++)
        cipher[i] = (plain[i] ^ key) * 2654435769u;
    for (int i = first; i < first + PART; i++)
        back[i] = cipher[i] * 340573321u ^ key;
    return NULL;
}

int main(void)
{
    static int first[THREADS];
    pthread_t t[THREADS];
    for (unsigned i = 0; i < THREADS * PART; i++)
        plain[i] = i * i;
    for (int i = 0; i < THREADS; i++) {
        first[i] = i * PART;
        pthread_create(&t[i], NULL, part, &first[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < THREADS * PART; i++)
        assert(back[i] == plain[i]);
    return 0;
}
