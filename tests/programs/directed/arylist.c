/* AryList: as abslist.c, with a wrapper that locks and a list inside that does not.  Comparing takes
 * the wrapper's lock and asks the list inside, which iterates over what the other wrapper protects.
 *
 * The paper's model runs the library, in which a thread does many steps before it comes to its list.
 *   -DWORK=n   additions to a list that nobody compares, which every adder makes first */
#include "lists.h"

#ifndef COMPARERS
#define COMPARERS 1
#endif
#ifndef ADDERS
#define ADDERS 5
#endif
#ifndef WORK
#define WORK 0
#endif

struct wrapper {
    pthread_mutex_t lock;
    struct list inside;
};

static struct wrapper one, two, other;

static void add(struct wrapper *w, int item)
{
    pthread_mutex_lock(&w->lock);
    list_add(&w->inside, item);
    pthread_mutex_unlock(&w->lock);
}

static int equal_inside(struct list *a, struct list *b)
{
    struct iterator i = list_begin(a), k = list_begin(b);
    while (list_more(&i) && list_more(&k))
        if (list_next(&i) != list_next(&k))
            return 0;
    return !list_more(&i) && !list_more(&k);
}

static int equal(struct wrapper *a, struct wrapper *b)
{
    pthread_mutex_lock(&a->lock); /* via 1 */
    int same = equal_inside(&a->inside, &b->inside);
    pthread_mutex_unlock(&a->lock);
    return same;
}

static void *compare(void *arg) { return equal(&one, &two) ? arg : NULL; }

static void *adder(void *arg)
{
    (void)arg;
    for (int i = 0; i < WORK; i++) {
        other.inside.n = 0; /* it never grows out of its room */
        add(&other, 1);
    }
    add(&two, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[COMPARERS + ADDERS];
    pthread_mutex_init(&one.lock, NULL);
    pthread_mutex_init(&two.lock, NULL);
    list_init(&one.inside);
    list_init(&two.inside);
    pthread_mutex_init(&other.lock, NULL);
    list_init(&other.inside);
    add(&one, 1);
    add(&one, 1);
    add(&two, 1);
    for (int i = 0; i < COMPARERS; i++)
        pthread_create(&threads[i], NULL, compare, NULL);
    for (int i = 0; i < ADDERS; i++)
        pthread_create(&threads[COMPARERS + i], NULL, adder, NULL);
    for (int i = 0; i < COMPARERS + ADDERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
