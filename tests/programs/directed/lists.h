/* A synchronised list whose functions take its lock, but for one: comparing takes the lock of the list
 * itself and iterates over the other one without that one's lock.  An iterator that finds its list
 * changed has been overtaken. */
#ifndef LISTS_H
#define LISTS_H

#include <heddle.h>
#include <pthread.h>

#define ROOM 64

struct list {
    pthread_mutex_t lock;
    _Atomic int n, changes;
    _Atomic int items[ROOM];
};

struct iterator {
    struct list *list;
    int at, changes;
};

static inline void list_init(struct list *l) { pthread_mutex_init(&l->lock, NULL); }

static inline void list_add(struct list *l, int item)
{
    pthread_mutex_lock(&l->lock); /* via 4 */
    l->items[l->n] = item;
    l->n++;
    l->changes++; /* via 5 */
    pthread_mutex_unlock(&l->lock);
}

static inline struct iterator list_begin(struct list *l)
{
    return (struct iterator){ l, 0, l->changes }; /* via 2 */
}

static inline int list_more(const struct iterator *i) { return i->at < i->list->n; /* via 3 */ }

static inline int list_next(struct iterator *i)
{
    if (i->list->changes != i->changes) /* via 6 */
        heddle_target();                /* overtaken */
    return i->list->items[i->at++];
}

#endif
