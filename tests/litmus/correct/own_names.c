// Functions and a variable of the program with names of the library, with other parameters, one of them weak:
// the program's own count, and the library goes on using its own.
// expect: verified
// cc-flags: -fno-builtin -w
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int slept;
int poll = 5;

int sleep(const char *why, double seconds)
{
    slept++;
    return why[0] + (int)seconds;
}

long read(void) { return 7; }
int index(int a, int b) { return a * b; }
__attribute__((weak)) int rand(int low, int high) { return low + high; }
static int dup(int x) { return x + 1; }
size_t strlen(const char *text) { return text[0] ? 100 : 0; }

static void *work(void *unused)
{
    sleep("w", 1);
    return unused;
}

int main(void)
{
    pthread_t id;
    int (*call)(const char *, double) = sleep;
    pthread_create(&id, NULL, work, NULL);
    assert(call("a", 2.5) == 'a' + 2);
    pthread_join(id, NULL);
    assert(read() == 7 && index(3, 4) == 12 && rand(1, 2) == 3 && dup(2) == 3 && poll == 5);
    assert(strlen("a") == 100 && slept == 2);
    return 0;
}
