// What standard input holds decides; here it is empty, and a native run may fail.
// expect: no-violation-found
// cc-flags: -DHOW=0
// (other values of HOW are in tests/cli/verdict.sh)
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    char line[8] = "";
    int n = 0;
#if HOW == 0
    n = getchar();
#elif HOW == 1
    n = scanf("%d", &n) == 1 ? n : 0;
#elif HOW == 2
    n = fgets(line, sizeof line, stdin) ? line[0] : 0;
#elif HOW == 3
    n = read(0, line, 1) == 1 ? line[0] : 0;
#elif HOW == 4
    n = fread(line, 1, 1, stdin) == 1 ? line[0] : 0;
#elif HOW == 5
    int (*next)(FILE *) = getc;
    n = next(stdin);
#elif HOW == 6
    char *whole = NULL;
    size_t room = 0;
    n = getline(&whole, &room, stdin) > 0 ? whole[0] : 0;
    free(whole);
#elif HOW == 7
    struct pollfd input = { .fd = 0, .events = POLLIN };
    n = poll(&input, 1, 0) == 1 && input.revents & POLLIN ? 0 : 'x';
#elif HOW == 8
    fd_set inputs;
    struct timeval none = { 0, 0 };
    FD_ZERO(&inputs);
    FD_SET(0, &inputs);
    n = select(1, &inputs, NULL, NULL, &none) == 1 ? 0 : 'x';
#elif HOW == 9
    n = syscall(SYS_read, 0, line, 1) == 1 ? line[0] : 0;
#else
    n = sscanf("120", "%d", &n) == 1 ? n - 1 : 0; /* is no standard input */
#endif
    assert(n != 'x');
    return 0;
}
