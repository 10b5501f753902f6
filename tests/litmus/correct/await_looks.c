// Loops that wait, in shapes of real locks: the first look is before the loop, the looked-at word is a
// pointer, the look or the attempt is in a function of its own.  A turn that finds nothing new changes nothing, so
// there are few executions.
// expect: verified
// also: --strategy optimal => verified
// also: --strategy stateful => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct node {
    _Atomic(struct node *) next;
    int value;
};

static struct node head, second;
static atomic_int ready, lock;
static int count;

static int exchange(atomic_int *word) { return atomic_exchange(word, 1); }
static bool try_lock(atomic_int *word) { return exchange(word) == 0; }
static struct node *look(void) { return atomic_load(&head.next); }

static void *user(void *unused)
{
    while (!try_lock(&lock))
        ;
    count++;
    atomic_store(&lock, 0);
    return unused;
}

static void *writer(void *unused)
{
    second.value = 7;
    atomic_store(&head.next, &second);
    atomic_store(&ready, 1);
    return user(unused);
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, user, NULL);
    struct node *next;
    while (!(next = atomic_load(&head.next)))
        do {
        } while (0);
    assert(next->value == 7);
    while (look() == NULL)
        ;
    int seen = ready;
    while (!seen)
        seen = ready;
    assert(seen == 1);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(count == 2);
    return 0;
}
