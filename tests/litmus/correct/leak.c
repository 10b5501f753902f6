// Freed, or still pointed to: from a global, from a block that is, from inside a block.
// expect: verified
// options: --leaks
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int values[4];
};

static struct node *list;
static int *inside;
static __thread int *mine;

static void *work(void *unused)
{
    struct node *n = calloc(1, sizeof *n);
    n->next = calloc(1, sizeof *n);
    list = n;
    mine = malloc(4);
    free(mine);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    struct node *other = calloc(1, sizeof *other);
    inside = &other->values[2];
    pthread_join(t, NULL);
    printf("%d\n", *inside);
    return 0;
}
