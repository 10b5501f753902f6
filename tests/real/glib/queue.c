/* glib: a thread pushes elements into a GAsyncQueue, the main thread waits for them.  They come in order. */
#include <assert.h>
#include <glib.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef ELEMENTS
#define ELEMENTS 1
#endif

static GAsyncQueue *queue;
static char elements[ELEMENTS];

static void *produce(void *unused)
{
    for (int i = 0; i < ELEMENTS; i++)
        g_async_queue_push(queue, &elements[i]);
    return unused;
}

int main(void)
{
    pthread_t producer;
    setenv("G_SLICE", "always-malloc", 1); /* heddle sees these blocks */
    queue = g_async_queue_new();
    assert(pthread_create(&producer, NULL, produce, NULL) == 0);
    for (int i = 0; i < ELEMENTS; i++)
        assert(g_async_queue_pop(queue) == &elements[i]);
    pthread_join(producer, NULL);
    assert(g_async_queue_length(queue) == 0);
    g_async_queue_unref(queue);
    return 0;
}
