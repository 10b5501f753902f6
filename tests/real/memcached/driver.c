/* memcached's cache without its network: one thread sets a key that has a value, another gets it, as workers do.  It gets
 * the old or the new value, whole.  memcached_thread_init(0) makes the locks, and no worker. */
#define main memcached_main
#include "memcached.c"
#undef main

static char key[] = "key";

struct worker {
    LIBEVENT_THREAD thread;
    conn connection;
};

static struct worker *worker_new(void)
{
    struct worker *w = calloc(1, sizeof *w);
    assert(w && pthread_mutex_init(&w->thread.stats.mutex, NULL) == 0);
    w->thread.l = calloc(1, sizeof *w->thread.l); /* nobody watches what is logged */
    w->connection.thread = &w->thread;
    return w;
}

static void set(struct worker *w, char letter)
{
    item *it = item_alloc(key, sizeof key - 1, 0, 0, 4);
    assert(it);
    memset(ITEM_data(it), letter, 2);
    memcpy(ITEM_data(it) + 2, "\r\n", 2);
    assert(store_item(it, NREAD_SET, &w->connection) == STORED);
    item_remove(it);
}

static void *setter(void *self)
{
    set(self, 'b');
    return NULL;
}

static void *getter(void *self)
{
    struct worker *w = self;
    item *it = item_get(key, sizeof key - 1, &w->connection, DO_UPDATE);
    assert(it && it->nkey == sizeof key - 1);
    char first = ITEM_data(it)[0], second = ITEM_data(it)[1];
    assert(first == second && (first == 'a' || first == 'b'));
    item_remove(it);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    settings_init();
    settings.hashpower_init = 12;
    settings.maxbytes = 4 * 1024 * 1024;
    settings.lru_segmented = false;
    settings.verbose = 0;
    assert(hash_init(JENKINS_HASH) == 0);
    stats_init();
    assoc_init(settings.hashpower_init);
    slabs_init(settings.maxbytes, settings.factor, false, NULL, NULL, false);
    memcached_thread_init(0, NULL);
    current_time = 100; /* the clock's thread sets it */
    set(worker_new(), 'a');
    pthread_create(&a, NULL, setter, worker_new());
    pthread_create(&b, NULL, getter, worker_new());
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
