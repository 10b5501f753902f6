// Memory allocated by one thread and freed by another; allocating is no visible action.
// expect: verified
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct node {
    struct node *next;
    char text[20];
} *list;

static void *produce(void *unused)
{
    for (int i = 0; i < 2; i++) {
        struct node *node = calloc(1, sizeof *node);
        assert(node && node->text[19] == 0);
        strcpy(node->text, "item");
        pthread_mutex_lock(&lock);
        node->next = list;
        list = node;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, produce, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        while (!list)
            pthread_cond_wait(&filled, &lock);
        struct node *node = list;
        list = node->next;
        pthread_mutex_unlock(&lock);
        assert(strcmp(node->text, "item") == 0);
        free(node);
    }
    pthread_join(t, NULL);
    assert(list == NULL);
    return 0;
}
