// A thread takes away a file that is mapped, under a lock: the other one reads it before, or sees that it is gone.
// expect: verified
// also: --memory rc11 => verified
// also: --memory sc --strategy graph => verified
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *shared;
static int sum;

static void *forget(void *unused)
{
    pthread_mutex_lock(&lock);
    munmap((void *)shared, 100);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    int file = open(__FILE__, O_RDONLY);
    shared = mmap(NULL, 100, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    pthread_create(&id, NULL, forget, NULL);
    pthread_mutex_lock(&lock);
    if (shared)
        sum = shared[0];
    pthread_mutex_unlock(&lock);
    pthread_join(id, NULL);
    return 0;
}
