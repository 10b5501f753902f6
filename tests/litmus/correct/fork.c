// The child of fork() is not followed: the parent goes on, after the handlers of pthread_atfork(), and finds
// its end.  What the child does was not explored, and the result says so.
// expect: no-violation-found
// also: --strategy brute => no-violation-found
// also: --memory rc11 => no-violation-found
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int order;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void before_first(void) { order = order * 10 + 2; }
static void after_first(void) { order = order * 10 + 3; }
static void in_child(void) { order = 0; }

static void before_second(void)
{
    pthread_mutex_lock(&m);
    order = 1;
}

static void after_second(void)
{
    order = order * 10 + 4;
    pthread_mutex_unlock(&m);
}

static void *other(void *unused)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t a;
    int status = 1;
    assert(pthread_atfork(before_first, after_first, in_child) == 0);
    assert(pthread_atfork(before_second, after_second, NULL) == 0);
    pthread_create(&a, NULL, other, NULL);
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert(child > 0 &&
           order == 1234); /* prepare from the last to the first, parent the other way */
    pid_t again = fork();
    if (again == 0)
        _exit(0);
    assert(again > 0 && again != child);
    assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert(waitpid(child, &status, 0) == -1 && errno == ECHILD);
    assert(wait(NULL) == again && wait(NULL) == -1 && errno == ECHILD);
    pthread_join(a, NULL);
    return 0;
}
