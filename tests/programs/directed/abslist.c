/* AbsList: COMPARERS threads compare two vectors, ADDERS threads add to both.  Comparing locks the
 * first and iterates over both: over the second while others may add to it. */
#include "lists.h"

#ifndef COMPARERS
#define COMPARERS 1
#endif
#ifndef ADDERS
#define ADDERS 7
#endif

static struct list one, two;

static int equal(struct list *a, struct list *b)
{
    pthread_mutex_lock(&a->lock); /* via 1 */
    struct iterator i = list_begin(a), k = list_begin(b);
    int same = 1;
    while (same && list_more(&i) && list_more(&k))
        same = list_next(&i) == list_next(&k);
    same = same && !list_more(&i) && !list_more(&k);
    pthread_mutex_unlock(&a->lock);
    return same;
}

static void *compare(void *arg) { return equal(&one, &two) ? arg : NULL; }

static void *adder(void *arg)
{
    (void)arg;
    list_add(&one, 1);
    list_add(&two, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[COMPARERS + ADDERS];
    list_init(&one);
    list_init(&two);
    for (int i = 0; i < COMPARERS; i++)
        pthread_create(&threads[i], NULL, compare, NULL);
    for (int i = 0; i < ADDERS; i++)
        pthread_create(&threads[COMPARERS + i], NULL, adder, NULL);
    for (int i = 0; i < COMPARERS + ADDERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
