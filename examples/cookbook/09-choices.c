/* Inputs that matter: heddle_choose(n) tries them all.  With -DFIXED the largest fits. */
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef FIXED
#define ROOM 4
#else
#define ROOM 3
#endif

static int items[ROOM];
static atomic_int n;

static void *add(void *unused)
{
    int wanted = heddle_choose(3); /* 0, 1 or 2 */
    for (int i = 0; i < wanted; i++) {
        int at = n++;
        heddle_assert(at < ROOM);
        items[at] = i;
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
}
