#include <pthread.h>
#include <stdlib.h>
struct node { struct node *next; int value; long hits; };
struct list { struct node *first; pthread_mutex_t lock; long length; int started; };
static struct list list = { .lock = PTHREAD_MUTEX_INITIALIZER };
static void push(struct list *l, int v)
{
    struct node *n = malloc(sizeof *n);
    n->value = v;
    n->hits = 0;
    pthread_mutex_lock(&l->lock);
    n->next = l->first;
    l->first = n;
    l->length++;
    pthread_mutex_unlock(&l->lock);
}
static long sum(struct list *l)
{
    long s = 0;
    for (struct node *n = l->first; n; n = n->next) { s += n->value; n->hits++; }
    return s;
}
static void *one(void *u) { list.started = 1; push(&list, 1); return u; }
static void *two(void *u) { list.started = 1; sum(&list); return u; }
int main(void)
{
    pthread_t a, b;
    list.length = 0;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return (int)sum(&list) < 0;
}
