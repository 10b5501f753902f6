// expect: violation memory
// A helper prints a number into a local of its caller, which is too short for it.
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next = 9998;

static void print(char *into, int number) { sprintf(into, "%d", number); /* violation */ }

static void *work(void *unused)
{
    char name[4];
    pthread_mutex_lock(&lock);
    int mine = ++next;
    pthread_mutex_unlock(&lock);
    print(name, mine);
    puts(name);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
