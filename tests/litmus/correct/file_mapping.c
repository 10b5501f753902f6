// A file is mapped before there are threads, read by them, written to in a private copy, and unmapped at the end.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *shared;
static char *own;
static int sum;

static void *work(void *unused)
{
    pthread_mutex_lock(&lock);
    sum += shared[0];
    own[0]++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    int file = open(__FILE__, O_RDONLY);
    shared = mmap(NULL, 100, PROT_READ, MAP_SHARED, file, 0);
    own = mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    close(file);
    assert(shared != MAP_FAILED && own != MAP_FAILED);
    pthread_create(&id, NULL, work, NULL);
    work(NULL);
    pthread_join(id, NULL);
    assert(sum == 2 * '/' && own[0] == '/' + 2);
    munmap((void *)shared, 100);
    munmap(own, 100);
    return 0;
}
