// A structure that is stored whole and read in parts, under a lock.  The atomic additions after it are revisited by those before it, so
// that the stores are made again.  Each thread reads what it has stored.  Of the four additions, three orders for each order of the locks.
// case: PART=int memory=tso => verified; 6
// case: PART=int => verified; 6
// case: PART=atomic_int => verified; 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct page {
    PART number;
    int rest[20];
};

static struct page shared;
static atomic_int n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    struct page own = { .number = *(int *)arg };
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&n, 1);
    shared = own;
    assert(shared.number == own.number);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&n, 1);
    return NULL;
}

int main(void)
{
    pthread_t a;
    int one = 1, two = 2;
    pthread_create(&a, NULL, work, &one);
    work(&two);
    pthread_join(a, NULL);
    return 0;
}
