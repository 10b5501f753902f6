// A queue under a lock that compares its ends.  Every pointer that is compared is to a node in the
// queue, so nobody can tell whether an address comes back: allocations are no steps, and the
// critical sections of the two threads have 4! / (2! 2!) orders.
// expect: verified
// executions: 6
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node *head, *tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(void)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    pthread_mutex_lock(&lock);
    if (tail)
        tail->next = n;
    else
        head = n;
    tail = n;
    pthread_mutex_unlock(&lock);
}

static void get(void)
{
    pthread_mutex_lock(&lock);
    struct node *n = head;
    if (n) {
        head = n->next;
        if (n == tail)
            tail = NULL;
    }
    pthread_mutex_unlock(&lock);
    free(n);
}

static void *work(void *unused)
{
    put();
    get();
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    work(NULL);
    pthread_join(id, NULL);
    assert(!head && !tail);
    return 0;
}
