// expect: verified
// Blocks of alloca in a loop live until the function returns.
#include <alloca.h>
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static volatile int length = 3;

static void *work(void *unused)
{
    struct node *head = NULL;
    int sum = 0;
    for (int i = 0; i < length; i++) {
        struct node *n = alloca(sizeof *n);
        n->next = head;
        n->value = i;
        head = n;
    }
    for (; head; head = head->next)
        sum += head->value;
    assert(sum == 3);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
