/* The store of results: what comes out is what went in, or nothing. */
#include "base/cache.h"
#include "base/fs.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char *folder;

static int open_cache(struct hd_cache *cache, const char *size)
{
    struct hd_err err;
    setenv("HEDDLE_CACHE", folder, 1);
    setenv("HEDDLE_CACHE_SIZE", size, 1);
    return hd_cache_open(cache, &err);
}

static int begin(void **state)
{
    struct hd_err err;
    (void)state;
    return hd_fs_temp_dir(&folder, &err);
}

static int end(void **state)
{
    (void)state;
    hd_fs_remove_tree(folder);
    free(folder);
    return 0;
}

static void key_of(uint8_t key[HD_CACHE_KEY_BYTES], int n) { memset(key, n, HD_CACHE_KEY_BYTES); }

static bool has(const struct hd_cache *cache, int n, const char *bytes, size_t size)
{
    uint8_t key[HD_CACHE_KEY_BYTES];
    struct hd_str text;
    hd_str_init(&text);
    key_of(key, n);
    bool found = hd_cache_get(cache, key, &text);
    if (found)
        assert_true(text.length == size && memcmp(text.text, bytes, size) == 0);
    hd_str_release(&text);
    return found;
}

static bool put(const struct hd_cache *cache, int n, const char *bytes, size_t size)
{
    uint8_t key[HD_CACHE_KEY_BYTES];
    key_of(key, n);
    return hd_cache_put(cache, key, bytes, size);
}

static void stores(void **state)
{
    struct hd_cache cache;
    (void)state;
    assert_int_equal(open_cache(&cache, "1M"), 0);
    assert_false(has(&cache, 1, "", 0));
    assert_true(put(&cache, 1, "a\0b", 3));
    assert_true(put(&cache, 2, "", 0));
    assert_true(has(&cache, 1, "a\0b", 3));
    assert_true(has(&cache, 2, "", 0));
    assert_true(put(&cache, 1, "other", 5));
    assert_true(has(&cache, 1, "other", 5));
    hd_cache_close(&cache);
}

/* Every byte of an entry counts, its length, too. */
static void damaged(void **state)
{
    struct hd_cache cache;
    struct hd_err err;
    struct hd_str whole;
    (void)state;
    assert_int_equal(open_cache(&cache, "1M"), 0);
    put(&cache, 0xab, "bytes", 5);
    char *path = hd_str_format("%s/", folder);
    for (int i = 0; i < HD_CACHE_KEY_BYTES; i++) {
        char *longer = hd_str_format("%sab", path);
        free(path);
        path = longer;
    }
    hd_str_init(&whole);
    assert_int_equal(hd_fs_read(path, &whole, &err), 0);
    for (size_t i = 0; i <= whole.length; i++) {
        hd_fs_write(path, whole.text, i, &err);
        assert_true(has(&cache, 0xab, "bytes", 5) == (i == whole.length));
        if (i == whole.length)
            break;
        whole.text[i] ^= 1;
        hd_fs_write(path, whole.text, whole.length, &err);
        assert_false(has(&cache, 0xab, "bytes", 5));
        assert_false(hd_fs_exists(path));
        whole.text[i] ^= 1;
    }
    hd_str_release(&whole);
    free(path);
    hd_cache_close(&cache);
}

/* Ten entries of some 1,000 bytes; there is room for three of them. */
static void bounded(void **state)
{
    struct hd_cache cache;
    char bytes[1000] = { 0 };
    (void)state;
    assert_int_equal(open_cache(&cache, "4K"), 0);
    assert_true(put(&cache, 0, bytes, sizeof bytes));
    for (int i = 1; i < 10; i++) {
        usleep(20000); /* the clock of file times is coarse */
        assert_true(has(&cache, 0, bytes, sizeof bytes));
        usleep(20000);
        assert_true(put(&cache, i, bytes, sizeof bytes));
    }
    assert_true(has(&cache, 0, bytes, sizeof bytes));
    assert_true(has(&cache, 9, bytes, sizeof bytes));
    assert_false(has(&cache, 5, bytes, sizeof bytes));
    char *large = calloc(1, 5000);
    assert_false(put(&cache, 11, large, 5000));
    assert_true(has(&cache, 0, bytes, sizeof bytes));
    free(large);
    hd_cache_close(&cache);
}

static void absent(void **state)
{
    struct hd_cache cache;
    struct hd_err err;
    (void)state;
    setenv("HEDDLE_CACHE", "off", 1);
    assert_int_equal(hd_cache_open(&cache, &err), 0);
    assert_false(put(&cache, 1, "a", 1));
    assert_false(has(&cache, 1, "a", 1));
    hd_cache_close(&cache);
    chmod(folder, 0755);
    assert_int_equal(open_cache(&cache, "1M"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(stores, begin, end),
        cmocka_unit_test_setup_teardown(damaged, begin, end),
        cmocka_unit_test_setup_teardown(bounded, begin, end),
        cmocka_unit_test_setup_teardown(absent, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
