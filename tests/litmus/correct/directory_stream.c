// Two threads read one directory, each until its end; together they see every name once.
// expect: verified
// options: --strategy optimal --executions 40
// also: --strategy random --executions 20 => no-violation-found
#include <assert.h>
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>

static DIR *directory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int seen;

static void *count(void *unused)
{
    pthread_mutex_lock(&lock);
    while (readdir(directory))
        seen++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t id;
    int all = 0;
    directory = opendir("/proc/self/ns");
    assert(directory);
    while (readdir(directory))
        all++;
    rewinddir(directory);
    pthread_create(&id, NULL, count, NULL);
    count(NULL);
    pthread_join(id, NULL);
    assert(seen == all && all > 0);
    closedir(directory);
    return 0;
}
