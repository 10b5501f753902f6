/* Cache4j: a cache of objects with a lock for its table and one for every object; users put and get, a
 * cleaner removes what has become too old. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#ifndef USERS
#define USERS 2
#endif
#define KEYS 2
#define SIZE 2

struct object {
    pthread_mutex_t lock;
    int key, value, used, valid;
};

static struct cache {
    pthread_mutex_t lock;
    struct object *slots[SIZE];
    int n, hits, clock;
} cache = { PTHREAD_MUTEX_INITIALIZER, { NULL }, 0, 0, 0 };

static struct object *find(int key)
{
    for (int i = 0; i < SIZE; i++)
        if (cache.slots[i] && cache.slots[i]->key == key)
            return cache.slots[i];
    return NULL;
}

static void put(int key, int value)
{
    struct object *fresh = calloc(1, sizeof *fresh);
    pthread_mutex_init(&fresh->lock, NULL);
    fresh->key = key;
    pthread_mutex_lock(&cache.lock);
    struct object *o = find(key);
    if (!o && cache.n < SIZE)
        for (int i = 0; i < SIZE && !o; i++)
            if (!cache.slots[i]) {
                o = cache.slots[i] = fresh;
                cache.n++;
            }
    int now = ++cache.clock;
    pthread_mutex_unlock(&cache.lock);
    if (!o)
        return;
    pthread_mutex_lock(&o->lock);
    o->value = value;
    o->used = now;
    o->valid = 1;
    pthread_mutex_unlock(&o->lock);
}

static int get(int key)
{
    int value = -1;
    pthread_mutex_lock(&cache.lock);
    struct object *o = find(key);
    cache.hits += o != NULL;
    pthread_mutex_unlock(&cache.lock);
    if (o) {
        pthread_mutex_lock(&o->lock);
        if (o->valid)
            value = o->value;
        pthread_mutex_unlock(&o->lock);
    }
    return value;
}

static void *cleaner(void *unused)
{
    pthread_mutex_lock(&cache.lock);
    for (int i = 0; i < SIZE; i++) {
        struct object *o = cache.slots[i];
        if (!o)
            continue;
        pthread_mutex_lock(&o->lock);
        if (o->valid && o->used < cache.clock) {
            o->valid = 0;
            cache.slots[i] = NULL;
            cache.n--;
        }
        pthread_mutex_unlock(&o->lock);
    }
    pthread_mutex_unlock(&cache.lock);
    return unused;
}

static void *user(void *arg)
{
    int key = *(int *)arg;
    put(key, key * 7);
    int value = get(key);
    assert(value == -1 || value == key * 7);
    get((key + 1) % KEYS);
    return NULL;
}

int main(void)
{
    static int key[USERS];
    pthread_t t[USERS + 1];
    for (int i = 0; i < USERS; i++) {
        key[i] = i % KEYS;
        pthread_create(&t[i], NULL, user, &key[i]);
    }
    pthread_create(&t[USERS], NULL, cleaner, NULL);
    for (int i = 0; i <= USERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
