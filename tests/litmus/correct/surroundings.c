// expect: verified
// Questions about the machine and the working directory have the same answers in all threads.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char where[4096];

static void *work(void *unused)
{
    char path[4096], host[256], start[1] = { 0 };
    struct utsname machine;
    struct rlimit limit;
    assert(getcwd(path, sizeof path) == path && path[0] == '/');
    char *copy = getcwd(NULL, 0);
    assert(copy && strcmp(copy, path) == 0);
    free(copy);
    assert(getcwd(start, 1) == NULL && errno == ERANGE);
    assert(gethostname(host, sizeof host) == 0 && uname(&machine) == 0);
    assert(strcmp(machine.nodename, host) == 0);
    assert(gethostname(start, 1) == -1 && errno == ENAMETOOLONG && start[0] == host[0]);
    assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= limit.rlim_max);
    pthread_mutex_lock(&m);
    assert(getcwd(where, sizeof where));
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    assert(where[0] == '/');
    return 0;
}
