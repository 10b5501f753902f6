// The child may still run when its end is asked for.
// expect: violation assertion
// also: --strategy brute => violation assertion
// also: --memory rc11 => violation assertion
#include <assert.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    pid_t ended = waitpid(child, NULL, WNOHANG);
    assert(ended == child); /* violation */
    return 0;
}
