// What file systems say: of a file that the program has made, of the root, and of nothing.
// expect: verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/statfs.h>
#include <unistd.h>

static void *ask(void *unused)
{
    struct statfs is;
    int fd = open("made", O_CREAT | O_RDWR, 0600);
    assert(fd >= 0 && fstatfs(fd, &is) == 0 && is.f_bsize > 0);
    assert(statfs("made", &is) == 0 && is.f_bsize > 0);
    assert(statfs("/", &is) == 0 && is.f_bsize > 0);
    assert(statfs("not-made", &is) == -1 && fstatfs(-1, &is) == -1);
    close(fd);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, ask, 0);
    pthread_join(t, 0);
}
