/* Deadlock: a list holds a table and the table holds the list.  FIRST threads compare from the list's
 * side, SECOND threads from the table's; each side locks itself and then what it holds. */
#include <pthread.h>

#ifndef FIRST
#define FIRST 1
#endif
#ifndef SECOND
#define SECOND 9
#endif

struct container {
    pthread_mutex_t lock;
    struct container *held;
    int n;
};

static struct container list = { PTHREAD_MUTEX_INITIALIZER, NULL, 1 },
                        table = { PTHREAD_MUTEX_INITIALIZER, NULL, 1 };

static int size(struct container *c)
{
    pthread_mutex_lock(&c->lock); /* via 3 */
    int n = c->n;
    pthread_mutex_unlock(&c->lock);
    return n;
}

static void *from_list(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&list.lock); /* via 1 */
    int both = list.n + size(list.held);
    pthread_mutex_unlock(&list.lock);
    return both > 2 ? arg : NULL;
}

static void *from_table(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&table.lock); /* via 2 */
    int both = table.n + size(table.held);
    pthread_mutex_unlock(&table.lock);
    return both > 2 ? arg : NULL;
}

int main(void)
{
    pthread_t threads[FIRST + SECOND];
    list.held = &table;
    table.held = &list;
    for (int i = 0; i < FIRST; i++)
        pthread_create(&threads[i], NULL, from_list, NULL);
    for (int i = 0; i < SECOND; i++)
        pthread_create(&threads[FIRST + i], NULL, from_table, NULL);
    for (int i = 0; i < FIRST + SECOND; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
