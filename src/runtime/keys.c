/* Thread-specific data.  Values belong to the thread: setting and getting them are no actions,
 * unless the program deletes keys, so that the existence of a key depends on other threads.
 * Keys are numbered in the order of their creation, so creating and deleting them are
 * actions. */
#include "runtime/memory.h"
#include "runtime/view.h"

#include "core/site.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));

/* The step of asking whether the key exists. */
static bool there(pthread_key_t key, uint32_t site)
{
    if (!rt->solo_fast && __start_heddle_info && __start_heddle_info->deletes_keys)
        hd_act(HD_OP_KEY_USE, &model->keys, NULL, 0, site);
    return key < HD_MAX_KEYS && model->keys[key].used;
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!rt->solo_fast)
        hd_act(HD_OP_KEY, &model->keys, key, sizeof *key, site);
    uint64_t i = 0;
    while (i < HD_MAX_KEYS && model->keys[i].used)
        i++;
    if (i == HD_MAX_KEYS)
        return EAGAIN;
    for (uint32_t t = 0; t < rt->config.n_threads; t++)
        if (model->values[t][i])
            HD_SET(model->values[t][i], NULL);
    HD_SET(model->keys[i].used, 1);
    HD_SET(model->keys[i].destructor, destructor);
    if (i >= model->n_keys)
        HD_SET(model->n_keys, i + 1);
    pthread_key_t made = (pthread_key_t)i;
    hd_store_result(key, &made, sizeof made, site);
    return 0;
}

int pthread_key_delete(pthread_key_t key)
{
    uint32_t site = hd_take_site();
    if (!rt->solo_fast)
        hd_act(HD_OP_KEY, &model->keys, NULL, 0, site);
    if (key >= HD_MAX_KEYS || !model->keys[key].used)
        return EINVAL;
    HD_SET(model->keys[key].used, 0);
    return 0;
}

void *pthread_getspecific(pthread_key_t key)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return there(key, site) ? model->values[rt->cur][key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    if (!there(key, site))
        return EINVAL;
    HD_SET(model->values[rt->cur][key], (void *)(uintptr_t)value);
    return 0;
}

void hd_keys_begin(uint32_t thread)
{
    for (uint64_t i = 0; i < model->n_keys; i++)
        if (model->values[thread][i])
            HD_SET(model->values[thread][i], NULL);
}

/* One round of destructors.  Returns whether there was a value. */
static bool destroy_values(void)
{
    bool any = false;
    for (uint64_t i = 0; i < model->n_keys; i++) {
        if (!model->values[rt->cur][i] || !there((pthread_key_t)i, 0) ||
            !model->keys[i].destructor)
            continue;
        void *value = model->values[rt->cur][i];
        if (!value) /* the number belongs to another key now */
            continue;
        any = true;
        HD_SET(model->values[rt->cur][i], NULL);
        model->keys[i].destructor(value);
    }
    return any;
}

void hd_keys_end(void)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS && destroy_values(); round++)
        ;
}
