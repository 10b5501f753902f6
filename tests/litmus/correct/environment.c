// The environment is changed before there are others, and read by all.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused)
{
    assert(strcmp(getenv("HEDDLE_A"), "one") == 0);
    assert(getenv("HEDDLE_B") == NULL);
    return unused;
}

int main(void)
{
    pthread_t a;
    static char text[] = "HEDDLE_A=one";
    setenv("HEDDLE_B", "two", 1);
    unsetenv("HEDDLE_B");
    putenv(text);
    pthread_create(&a, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    return 0;
}
