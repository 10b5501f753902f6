/* Linked List (Concurrency Tool Comparison): builders append nodes of their own to one list.
 * -DERROR: looking for the end and appending are two critical sections. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef BUILDERS
#define BUILDERS 2
#endif
#ifndef NODES
#define NODES 3
#endif

struct node {
    int value;
    struct node *next;
};

static struct list {
    pthread_mutex_t lock;
    struct node head;
} list = { PTHREAD_MUTEX_INITIALIZER, { 0, NULL } };

static struct node *last(void)
{
    struct node *n = &list.head;
    while (n->next)
        n = n->next;
    return n;
}

static void add_last(struct node *fresh)
{
    pthread_mutex_lock(&list.lock);
    struct node *end = last();
#ifdef ERROR
    pthread_mutex_unlock(&list.lock);
    pthread_mutex_lock(&list.lock);
#endif
    end->next = fresh;
    pthread_mutex_unlock(&list.lock);
}

static void *builder(void *arg)
{
    int from = *(int *)arg;
    for (int i = 0; i < NODES; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        fresh->value = from + i;
        fresh->next = NULL;
        add_last(fresh);
    }
    return NULL;
}

int main(void)
{
    static int from[BUILDERS];
    pthread_t t[BUILDERS];
    int n = 0;
    for (int i = 0; i < BUILDERS; i++) {
        from[i] = i * NODES;
        pthread_create(&t[i], NULL, builder, &from[i]);
    }
    for (int i = 0; i < BUILDERS; i++)
        pthread_join(t[i], NULL);
    for (struct node *at = list.head.next; at; at = at->next)
        n++;
    assert(n == BUILDERS * NODES);
    return 0;
}
