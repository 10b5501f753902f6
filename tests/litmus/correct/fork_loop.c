// The parent looks until its child has ended, without waiting: that the child still runs goes on for a while,
// and not for ever.
// expect: no-violation-found
// options: --strategy stateful
#include <assert.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork(), ended;
    if (child == 0)
        _exit(0);
    do
        ended = waitpid(child, NULL, WNOHANG);
    while (ended == 0);
    assert(ended == child);
    return 0;
}
