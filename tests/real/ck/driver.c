/* Concurrency Kit: two threads put into a bounded ring that two others take from; a hash table is
 * read while its writer adds to it and takes away. */
#include <assert.h>
#include <ck_ht.h>
#include <ck_ring.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RING = 4, ITEMS = 2 };

static ck_ring_t ring;
static ck_ring_buffer_t buffer[RING];
static int values[2 * ITEMS];
static ck_ht_t table;
static const char *const names[] = { "apple", "pear" };

static void *allocate(size_t bytes) { return malloc(bytes); }

static void release(void *block, size_t bytes, bool deferred)
{
    (void)bytes;
    (void)deferred;
    free(block);
}

static struct ck_malloc memory = { .malloc = allocate, .free = release };

static void *produce(void *first)
{
    for (int i = 0; i < ITEMS; i++)
        assert(ck_ring_enqueue_mpmc(&ring, buffer, (int *)first + i) || i > 0);
    return NULL;
}

static void *consume(void *unused)
{
    void *item;
    if (ck_ring_dequeue_mpmc(&ring, buffer, &item))
        ++*(int *)item;
    return unused;
}

static void *look_up(void *unused)
{
    for (int i = 0; i < 2; i++) {
        ck_ht_hash_t hash;
        ck_ht_entry_t entry;
        ck_ht_hash(&hash, &table, names[i], (uint16_t)strlen(names[i]));
        ck_ht_entry_key_set(&entry, names[i], (uint16_t)strlen(names[i]));
        if (ck_ht_get_spmc(&table, hash, &entry))
            assert(ck_ht_entry_value(&entry) == &values[i]);
    }
    return unused;
}

static void put(int i)
{
    ck_ht_hash_t hash;
    ck_ht_entry_t entry;
    ck_ht_hash(&hash, &table, names[i], (uint16_t)strlen(names[i]));
    ck_ht_entry_set(&entry, hash, names[i], (uint16_t)strlen(names[i]), &values[i]);
    assert(ck_ht_put_spmc(&table, hash, &entry));
}

int main(void)
{
    pthread_t threads[4];
    void *item;
    int taken = 0;
    ck_ring_init(&ring, RING);
    assert(ck_ht_init(&table, CK_HT_MODE_BYTESTRING, NULL, &memory, 8, 1));
    pthread_create(&threads[0], NULL, produce, values);
    pthread_create(&threads[1], NULL, produce, values + ITEMS);
    pthread_create(&threads[2], NULL, consume, NULL);
    pthread_create(&threads[3], NULL, look_up, NULL);
    put(0);
    put(1);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    while (ck_ring_dequeue_mpmc(&ring, buffer, &item))
        ++*(int *)item;
    for (int i = 0; i < 2 * ITEMS; i++) {
        assert(values[i] <= 1); /* nothing is taken twice */
        taken += values[i];
    }
    assert(taken >= RING - 1); /* and nothing lost but what did not fit */
    ck_ht_destroy(&table);
    return 0;
}
