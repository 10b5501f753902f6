// Calls that leave the user and the groups as they are succeed in any thread.
// expect: verified
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused)
{
    assert(setuid(geteuid()) == 0 && setgid(getegid()) == 0);
    assert(seteuid(geteuid()) == 0 && setegid(getegid()) == 0);
    assert(setreuid((uid_t)-1, (uid_t)-1) == 0 && setregid((gid_t)-1, getegid()) == 0);
    assert(setresuid(getuid(), geteuid(), (uid_t)-1) == 0 && setresgid(getgid(), -1, -1) == 0);
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    work(NULL);
    pthread_join(id, NULL);
    return 0;
}
