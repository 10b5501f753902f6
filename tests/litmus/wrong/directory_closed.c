// expect: violation memory
// Two threads take entries of a directory in turn; the first to find the end closes it.
#include <dirent.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static DIR *directory;

static void *take(void *unused)
{
    pthread_mutex_lock(&lock);
    while (readdir(directory)) /* violation */
        ;
    closedir(directory);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    directory = opendir("/proc/sys/kernel/random");
    if (directory == NULL)
        directory = opendir("/");
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
