// Without srand, and after srand(42), the values are those of the C library: the numbers here are what
// glibc prints without heddle.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int drawn;

static void *draw(void *unused)
{
    static const int first[] = { 1804289383, 846930886, 1681692777 };
    pthread_mutex_lock(&lock);
    assert(rand() == first[drawn]);
    drawn++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    draw(NULL);
    pthread_create(&id, NULL, draw, NULL);
    draw(NULL);
    pthread_join(id, NULL);
    srand(42);
    assert(rand() == 71876166 && random() == 708592740);
    srand48(3);
    drand48();
    assert(lrand48() == 1854724446);
    return 0;
}
