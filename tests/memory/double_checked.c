// Double-checked initialisation.  Who does not take the lock needs the release and the acquire.
// case: W=release R=acquire => verified
// case: W=relaxed R=acquire => violation data-race
// case: W=release R=relaxed => violation data-race
#include "orders.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static int *_Atomic ready;

static void *use(void *unused)
{
    int *p = load(ready, R);
    if (!p) {
        pthread_mutex_lock(&lock);
        p = load(ready, memory_order_relaxed);
        if (!p) {
            value = 42;
            p = &value;
            store(ready, p, W);
        }
        pthread_mutex_unlock(&lock);
    }
    assert(*p == 42);
    return unused;
}

int main(void) { run(use, use); }
