// Locks that spin: test-and-set, compare-exchange, tickets.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_flag flag = ATOMIC_FLAG_INIT;
static atomic_int word;
static atomic_uint next, serving;
static int a, b, c;

static void relax(void) { __asm__ volatile("pause" ::: "memory"); }

static void *worker(void *unused)
{
    while (atomic_flag_test_and_set(&flag))
        relax();
    a++;
    atomic_flag_clear(&flag);
    int expected = 0;
    while (!atomic_compare_exchange_weak(&word, &expected, 1)) {
        expected = 0;
        relax();
    }
    b++;
    atomic_store(&word, 0);
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        relax();
    c++;
    atomic_fetch_add(&serving, 1);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(a == 2 && b == 2 && c == 2);
    return 0;
}
