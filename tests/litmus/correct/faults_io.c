// A read or write that is interrupted or cut short is gone on with; an error is noticed.
// expect: no-violation-found
// options: --faults io:1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static ssize_t all(int writes, char *bytes, size_t n)
{
    size_t done = 0;
    while (done < n) {
        ssize_t now = writes ? write(ends[1], bytes + done, n - done)
                             : read(ends[0], bytes + done, n - done);
        if (now < 0 && errno == EINTR)
            continue;
        if (now <= 0)
            break;
        done += (size_t)now;
    }
    return (ssize_t)done;
}

static void *producer(void *unused)
{
    char text[] = "abcd";
    all(1, text, 4);
    close(ends[1]);
    return unused;
}

int main(void)
{
    pthread_t a;
    char text[4];
    pipe(ends);
    pthread_create(&a, NULL, producer, NULL);
    for (ssize_t i = 0, n = all(0, text, 4); i < n; i++)
        assert(text[i] == 'a' + i);
    pthread_join(a, NULL);
    return 0;
}
