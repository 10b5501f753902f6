// The program gets its arguments and the environment.
// expect: verified
// args: 3 "two words"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int n;

static void *work(void *unused)
{
    n++;
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t t;
    assert(argc == 3 && argv[3] == NULL);
    assert(strcmp(argv[2], "two words") == 0);
    assert(getenv("PATH") != NULL);
    for (int i = atoi(argv[1]); i > 0; i--) {
        pthread_create(&t, NULL, work, NULL);
        pthread_join(t, NULL);
    }
    assert(n == 3);
    return 0;
}
