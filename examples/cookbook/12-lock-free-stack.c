/* A stack without locks whose nodes are freed and come back (ABA).  With -DFIXED they are
 * not freed while others may hold them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static _Atomic(struct node *) top;

static void push(struct node *n)
{
    n->next = top;
    while (!atomic_compare_exchange_weak(&top, &n->next, n))
        ;
}

static struct node *pop(void)
{
    struct node *n = top;
    while (n && !atomic_compare_exchange_weak(&top, &n, n->next))
        ;
    return n;
}

static void *take(void *kept)
{
    struct node *n = pop();
#ifdef FIXED
    *(struct node **)kept = n;
#else
    (void)kept;
    free(n);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct node *kept[2] = { NULL, NULL };
    for (int i = 0; i < 2; i++)
        push(calloc(1, sizeof(struct node)));
    pthread_create(&a, NULL, take, &kept[0]);
    pthread_create(&b, NULL, take, &kept[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(kept[0]);
    free(kept[1]);
}
