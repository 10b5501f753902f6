/* A session is freed by the thread that closes it, while another still uses it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct session {
    char user[16];
    int requests;
};

static struct session *current;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *request(void *unused)
{
    pthread_mutex_lock(&lock);
    struct session *s = current;
    pthread_mutex_unlock(&lock);
    if (s) {
        pthread_mutex_lock(&lock);
        s->requests++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *logout(void *unused)
{
    pthread_mutex_lock(&lock);
    free(current);
    current = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    current = calloc(1, sizeof *current);
    strcpy(current->user, "ada");
    pthread_create(&a, 0, request, 0);
    pthread_create(&b, 0, logout, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
