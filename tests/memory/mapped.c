// A file that is mapped, and read and written by calls, too.  HOW is
//   1  memory and calls, one critical section each: of the four sections of two threads, in order within each thread, six orders
//   2  a store into the mapping, published by a flag: the call comes after it
//   3  calls that order nothing but themselves: one thread may see the flag and an older `data`
//   4  a call that writes what the other thread expects unchanged, under the lock
// case: HOW=1 => verified; 6
// case: HOW=1 memory=tso => verified; 6
// case: HOW=2 S=release L=acquire => verified; 2
// case: HOW=2 S=release L=acquire memory=tso => verified; 2
// case: HOW=3 => violation assertion
// case: HOW=3 S=release L=acquire => verified; 2
// case: HOW=3 memory=tso => verified
// case: HOW=4 => violation assertion
// case: HOW=4 memory=tso => violation assertion
#include "orders.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static int fd;
static int *page;
static atomic_int flag, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int in_file(void)
{
    int n = -1;
    assert(pread(fd, &n, sizeof n, 0) == sizeof n);
    return n;
}

static void into_file(int n) { assert(pwrite(fd, &n, sizeof n, 0) == sizeof n); }

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    into_file(in_file() + 1);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    page[0]++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *first(void *unused)
{
    if (HOW == 1)
        return count(unused);
    if (HOW == 2)
        page[0] = 7;
    if (HOW == 3) {
        atomic_store_explicit(&data, 1, memory_order_relaxed);
        into_file(1);
    }
    if (HOW != 4)
        atomic_store_explicit(&flag, 1, S);
    pthread_mutex_lock(&lock);
    if (HOW == 4)
        into_file(1);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void second(void)
{
    if (HOW == 1)
        count(NULL);
    if (HOW == 4) {
        pthread_mutex_lock(&lock);
        assert(page[0] == 0);
        pthread_mutex_unlock(&lock);
    } else if (HOW != 1 && atomic_load_explicit(&flag, L)) {
        if (HOW == 2)
            assert(in_file() == 7);
        else
            assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
    }
}

int main(void)
{
    pthread_t t;
    fd = open("heddle-memory-mapped", O_RDWR | O_CREAT, 0600);
    assert(fd >= 0 && ftruncate(fd, 4096) == 0);
    page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert(page != MAP_FAILED);
    pthread_create(&t, NULL, first, NULL);
    second();
    pthread_join(t, NULL);
    assert(HOW != 1 || (page[0] == 4 && in_file() == 4));
    return 0;
}
