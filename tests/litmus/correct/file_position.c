// 12: two threads read a byte each of one open file, one of them through another descriptor of it.  They
// share the position, so one gets the byte 1 and the other the byte 2, whatever the order.
// expect: verified
// also: --strategy stateful => verified
// also: --strategy brute => verified
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int file, other;
static char got[2];

static void *work(void *arg)
{
    char *mine = arg;
    assert(read(mine == got ? file : other, mine, 1) == 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    char two[2];
    file = open(__FILE__, O_RDONLY);
    assert(file >= 0 && lseek(file, 3, SEEK_SET) == 3);
    other = dup(file);
    pthread_create(&a, NULL, work, &got[0]);
    pthread_create(&b, NULL, work, &got[1]);
    assert(pread(file, two, 2, 3) == 2 && two[0] == '1' && two[1] == '2');
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(got[0] + got[1] == '1' + '2' && got[0] != got[1]);
    assert(lseek(other, 0, SEEK_CUR) == 5);
    close(file);
    close(other);
    assert(read(file, two, 1) == -1);
    return 0;
}
