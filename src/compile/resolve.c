#include "compile/resolve.h"

#include "compile/bitcode.h"
#include "compile/elf.h"

#include <stdlib.h>
#include <string.h>

enum { WANTED = 1, DEFINED = 2 };

void hd_resolver_init(struct hd_resolver *r, LLVMContextRef context)
{
    *r = (struct hd_resolver){ .context = context };
    hd_strmap_init(&r->states);
    hd_strmap_init(&r->definer);
}

void hd_resolver_release(struct hd_resolver *r)
{
    for (size_t i = 0; i < r->n; i++) {
        free(r->objects[i].name);
        hd_symbols_release(&r->objects[i].symbols);
        if (r->objects[i].module)
            LLVMDisposeModule(r->objects[i].module);
    }
    free(r->objects);
    hd_strmap_release(&r->states);
    hd_strmap_release(&r->definer);
}

int hd_resolver_add(struct hd_resolver *r, const char *name, const char *bytes, size_t n,
                    bool optional, struct hd_err *err)
{
    struct hd_object object = { .bytes = bytes, .n = n, .optional = optional };
    hd_symbols_init(&object.symbols);
    if (hd_bitcode_is(bytes, n)) {
        if (hd_bitcode_read(r->context, name, bytes, n, &object.module, err) != 0)
            return -1;
        hd_bitcode_symbols(object.module, &object.symbols);
    } else if (hd_elf_is(bytes, n)) {
        object.native = true;
        object.shared = hd_elf_is_shared(bytes, n);
        hd_elf_symbols(bytes, n, &object.symbols);
    } else {
        return hd_err_set(err, "%s: neither an object of heddle cc nor a native one", name);
    }
    object.name = hd_strdup(name);
    r->objects = hd_realloc(r->objects, (r->n + 1) * sizeof *r->objects);
    r->objects[r->n++] = object;
    return 0;
}

void hd_resolver_want(struct hd_resolver *r, const char *symbol)
{
    *hd_strmap_put(&r->states, symbol) |= WANTED;
}

static int define(struct hd_resolver *r, size_t index, const char *symbol, struct hd_err *err)
{
    /* What a shared object defines may be defined again: the executable's comes first. */
    if (!r->objects[index].shared) {
        uint64_t *definer = hd_strmap_put(&r->definer, symbol);
        if (*definer)
            return hd_err_set(err, "%s is defined twice: in %s and in %s", symbol,
                              r->objects[*definer - 1].name, r->objects[index].name);
        *definer = index + 1;
    }
    *hd_strmap_put(&r->states, symbol) |= DEFINED;
    return 0;
}

static int take(struct hd_resolver *r, size_t index, struct hd_err *err)
{
    struct hd_object *object = &r->objects[index];
    const struct hd_symbols *s = &object->symbols;
    object->taken = true;
    for (size_t i = 0; i < s->strong.n; i++)
        if (define(r, index, s->strong.items[i], err) != 0)
            return -1;
    for (size_t i = 0; i < s->weak.n; i++)
        *hd_strmap_put(&r->states, s->weak.items[i]) |= DEFINED;
    for (size_t i = 0; i < s->wanted.n; i++)
        hd_resolver_want(r, s->wanted.items[i]);
    return 0;
}

static bool any_wanted(const struct hd_resolver *r, const struct hd_strs *names)
{
    for (size_t i = 0; i < names->n; i++) {
        const uint64_t *state = hd_strmap_get(&r->states, names->items[i]);
        if (state && *state == WANTED)
            return true;
    }
    return false;
}

int hd_resolver_run(struct hd_resolver *r, struct hd_err *err)
{
    for (size_t i = 0; i < r->n; i++)
        if (!r->objects[i].optional && take(r, i, err) != 0)
            return -1;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < r->n; i++) {
            struct hd_object *object = &r->objects[i];
            if (object->taken || (!any_wanted(r, &object->symbols.strong) &&
                                  !any_wanted(r, &object->symbols.weak)))
                continue;
            if (take(r, i, err) != 0)
                return -1;
            more = true;
        }
    }
    return 0;
}

const struct hd_object *hd_resolver_definer(const struct hd_resolver *r, const char *symbol)
{
    const uint64_t *index = hd_strmap_get(&r->definer, symbol);
    return index ? &r->objects[*index - 1] : NULL;
}

int hd_resolver_link(struct hd_resolver *r, LLVMModuleRef program, struct hd_err *err)
{
    bool first = true;
    for (size_t i = 0; i < r->n; i++) {
        struct hd_object *object = &r->objects[i];
        if (!object->taken || object->module == NULL)
            continue;
        if (first) {
            LLVMSetTarget(program, LLVMGetTarget(object->module));
            LLVMSetDataLayout(program, LLVMGetDataLayoutStr(object->module));
            first = false;
        }
        LLVMModuleRef module = object->module;
        object->module = NULL;
        if (hd_bitcode_link(program, module, object->name, err) != 0)
            return -1;
    }
    return 0;
}
