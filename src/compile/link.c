#include "compile/link.h"

#include "base/fs.h"
#include "base/hash.h"
#include "base/progress.h"
#include "compile/ar.h"
#include "compile/assembly_files.h"
#include "compile/bitcode.h"
#include "compile/build_cache.h"
#include "compile/directories.h"
#include "compile/elf.h"
#include "compile/emit.h"
#include "compile/library.h"
#include "compile/native_link.h"
#include "compile/native_names.h"
#include "compile/own_names.h"
#include "compile/resolve.h"
#include "compile/unused.h"
#include "core/site.h"

#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>

struct linker {
    const struct hd_link_request *req;
    struct hd_resolver resolver;
    struct hd_str *texts; /* files read, alive as long as the resolver */
    size_t n_texts;
    struct hd_ar *archives;
    size_t n_archives;
    struct hd_strs native; /* arguments for the native linker, in order */
    bool whole_archive;
    bool ours; /* what is added now was made by this build's clang, or is a part of heddle */
    uint64_t salt;
    bool closed; /* nothing but what the key names goes into the program's object */
    struct hd_program_entry entry; /* in the cache */
    LLVMModuleRef program;
};

static const struct hd_str *read_file(struct linker *l, const char *path, struct hd_err *err)
{
    struct hd_str text;
    hd_str_init(&text);
    if (hd_fs_read(path, &text, err) != 0) {
        hd_str_release(&text);
        return NULL;
    }
    l->texts = hd_realloc(l->texts, (l->n_texts + 1) * sizeof *l->texts);
    l->texts[l->n_texts] = text;
    return &l->texts[l->n_texts++];
}

static void add_native(struct linker *l, const char *path, const struct hd_str *text)
{
    hd_strs_add(&l->native, path);
    l->salt = hd_hash_bytes(l->salt, text->text, text->length);
}

/* An object file of heddle cc is a native one, for the tools that look into objects, and
 * carries its bitcode, which is what counts here. */
static int unwrap(const char *name, const char **bytes, size_t *n, struct hd_err *err)
{
    static const char magic[] = { 'B', 'C', (char)0xc0, (char)0xde };
    size_t size;
    const char *inside = hd_elf_bitcode(*bytes, *n, &size);
    if (inside == NULL)
        return 0;
    for (size_t at = 4; at + 4 <= size; at += 4)
        if (memcmp(inside + at, magic, 4) == 0)
            return hd_err_set(err,
                              "%s was joined from several objects by the linker: join them "
                              "with heddle cc -r",
                              name);
    *bytes = inside;
    *n = size;
    return 0;
}

/* Bitcode from elsewhere may be damaged.  For ours the child process that tries it, a copy of
 * this one with all of LLVM, would take longer than to read it does. */
static int add_object(struct linker *l, const char *name, const char *bytes, size_t n,
                      bool optional, struct hd_err *err)
{
    if (!l->ours && hd_bitcode_is(bytes, n) && hd_bitcode_try(name, bytes, n, err) != 0)
        return -1;
    return hd_resolver_add(&l->resolver, name, bytes, n, optional, err);
}

/* An archive with bitcode in it can't be shown to the native linker: its native members are
 * handed over one by one (see extract).  One without is handed over as it is. */
static int add_archive(struct linker *l, const char *path, struct hd_err *err)
{
    struct hd_ar ar;
    if (hd_ar_open(&ar, path, err) != 0) {
        hd_ar_release(&ar);
        return -1;
    }
    bool bitcode = false;
    int failed = 0;
    for (size_t i = 0; i < ar.n && !failed; i++) {
        failed = unwrap(path, &ar.members[i].bytes, &ar.members[i].n, err);
        bitcode |= hd_bitcode_is(ar.members[i].bytes, ar.members[i].n);
    }
    for (size_t i = 0; i < ar.n && !failed; i++) {
        const struct hd_ar_member *m = &ar.members[i];
        if (!hd_bitcode_is(m->bytes, m->n) && !hd_elf_is(m->bytes, m->n))
            continue;
        char *name = hd_str_format("%s(%s)", path, m->name);
        failed = add_object(l, name, m->bytes, m->n, !l->whole_archive, err);
        if (!failed)
            l->resolver.objects[l->resolver.n - 1].extract = bitcode;
        free(name);
    }
    if (!bitcode)
        add_native(l, path, &ar.text);
    l->archives = hd_realloc(l->archives, (l->n_archives + 1) * sizeof *l->archives);
    l->archives[l->n_archives++] = ar;
    return failed;
}

static int add_file(struct linker *l, const char *path, const char *name, struct hd_err *err)
{
    const struct hd_str *text = read_file(l, path, err);
    if (text == NULL)
        return -1;
    if (hd_ar_is(text->text, text->length))
        return add_archive(l, path, err);
    size_t n;
    const char *inside = hd_elf_is_shared(text->text, text->length)
                             ? hd_elf_section(text->text, text->length, HD_SECTION_MODULE, &n)
                             : NULL;
    if (inside)
        return add_object(l, name, inside, n, false, err);
    const char *bytes = text->text;
    n = text->length;
    if (unwrap(name, &bytes, &n, err) != 0)
        return -1;
    if (hd_bitcode_is(bytes, n))
        return add_object(l, name, bytes, n, false, err);
    add_native(l, path, text);
    if (!hd_elf_is(text->text, text->length))
        return 0; /* a linker script, for the native linker */
    return add_object(l, name, text->text, text->length, false, err);
}

static int add_library(struct linker *l, const char *name, struct hd_err *err)
{
    char *path = hd_library_find(l->req->driver, name);
    if (path == NULL) {
        hd_strs_addf(&l->native, "-l%s", name);
        return 0;
    }
    size_t before = l->native.n;
    int failed = add_file(l, path, path, err);
    /* By its name, so that a native shared object is recorded as the linker would record it. */
    if (!failed && l->native.n > before) {
        free(l->native.items[before]);
        l->native.items[before] = hd_str_format("-l%s", name);
    }
    free(path);
    return failed;
}

static void add_flag(struct linker *l, size_t index)
{
    const struct hd_driver *d = l->req->driver;
    const char *text = d->items[index].text;
    if (strstr(text, "--no-whole-archive"))
        l->whole_archive = false;
    else if (strstr(text, "--whole-archive"))
        l->whole_archive = true;
    if (index > 0 && d->items[index - 1].kind == HD_ITEM_FLAG &&
        strcmp(d->items[index - 1].text, "-u") == 0)
        hd_resolver_want(&l->resolver, text);
    hd_strs_add(&l->native, text);
}

static int add_items(struct linker *l, struct hd_err *err)
{
    const struct hd_driver *d = l->req->driver;
    for (size_t i = 0; i < d->n_items; i++) {
        const struct hd_item *item = &d->items[i];
        int failed = 0;
        l->ours = item->kind == HD_ITEM_SOURCE;
        switch (item->kind) {
        case HD_ITEM_SOURCE:
        case HD_ITEM_ASSEMBLY:
            failed = add_file(l, l->req->compiled[i], item->text, err);
            break;
        case HD_ITEM_FILE:
            failed = add_file(l, item->text, item->text, err);
            break;
        case HD_ITEM_LIBRARY:
            failed = add_library(l, item->text, err);
            break;
        case HD_ITEM_FLAG:
            add_flag(l, i);
            break;
        }
        if (failed)
            return -1;
    }
    return 0;
}

static bool wants_cxx(const struct hd_driver *d)
{
    for (size_t i = 0; i < d->n_items; i++)
        if (d->items[i].kind == HD_ITEM_LIBRARY && strcmp(d->items[i].text, "stdc++") == 0)
            return true;
    return hd_driver_is_cxx(d);
}

/* Native members of mixed archives, as files of their own. */
static int extract(struct linker *l, struct hd_err *err)
{
    for (size_t i = 0; i < l->resolver.n; i++) {
        const struct hd_object *o = &l->resolver.objects[i];
        if (!o->native || !o->extract || !o->taken)
            continue;
        char *path = hd_str_format("%s/member%zu.o", l->req->directory, i);
        int failed = hd_fs_write(path, o->bytes, o->n, err);
        hd_strs_adopt(&l->native, path);
        l->salt = hd_hash_bytes(l->salt, o->bytes, o->n);
        l->closed = false; /* the linker needs this file, too */
        if (failed)
            return -1;
    }
    return 0;
}

static int check_main(const struct linker *l, struct hd_err *err)
{
    const struct hd_object *object = hd_resolver_definer(&l->resolver, "main");
    if (object && object->native)
        return hd_err_set(err, "main is in %s, which is native code: compile it with heddle cc",
                          object->name);
    if (object)
        return 0;
    LLVMValueRef f = LLVMGetNamedFunction(l->program, "main");
    if (f && !LLVMIsDeclaration(f))
        return 0;
    const struct hd_driver *d = l->req->driver;
    struct hd_str names;
    hd_str_init(&names);
    for (size_t i = 0; i < d->n_items; i++)
        if (d->items[i].kind < HD_ITEM_LIBRARY)
            hd_str_appendf(&names, "%s%s", names.length ? ", " : "", d->items[i].text);
    hd_err_set(err,
               "no main function: %s does not define one (for an object file, use heddle "
               "cc -c)",
               names.text);
    hd_str_release(&names);
    return -1;
}

/* Native code may name whatever is global in the program: the analysis has to know. */
static void tell_native(struct linker *l)
{
    static const char name[] = "heddle.native";
    LLVMContextRef context = LLVMGetModuleContext(l->program);
    for (size_t i = 0; i < l->resolver.n; i++) {
        const struct hd_object *o = &l->resolver.objects[i];
        if (!o->native || !o->taken)
            continue;
        LLVMMetadataRef text = LLVMMDStringInContext2(context, o->name, strlen(o->name));
        LLVMMetadataRef node = LLVMMDNodeInContext2(context, &text, 1);
        LLVMAddNamedMetadataOperand(l->program, name, LLVMMetadataAsValue(context, node));
    }
}

/* heddle's part of the C++ library replaces functions that the native part calls. */
static void keep_cxx(const struct linker *l, struct hd_strmap *keep)
{
    for (size_t i = 0; i < l->resolver.n; i++) {
        const struct hd_object *o = &l->resolver.objects[i];
        if (!o->taken || !hd_str_starts(o->name, l->req->tools->cxx))
            continue;
        for (size_t k = 0; k < o->symbols.strong.n; k++)
            *hd_strmap_put(keep, o->symbols.strong.items[k]) = 1;
    }
}

static int drop_unused(struct linker *l, struct hd_err *err)
{
    struct hd_strmap keep;
    struct hd_strs dropped;
    hd_strmap_init(&keep);
    hd_strs_init(&dropped);
    keep_cxx(l, &keep);
    bool known = hd_native_names(&l->resolver, l->req->driver, l->program, &keep);
    int failed = hd_unused_drop(l->program, known ? &keep : NULL, &dropped, err);
    for (size_t i = 0; i < dropped.n; i++)
        hd_strs_addf(&l->native, "-Wl,--require-defined=%s", dropped.items[i]);
    hd_strmap_release(&keep);
    hd_strs_release(&dropped);
    return failed;
}

static int check_runtime(const struct linker *l, struct hd_err *err)
{
    return hd_fs_exists(l->req->tools->runtime)
               ? 0
               : hd_err_set(err, "%s is missing: install heddle again (make, or make install)",
                            l->req->tools->runtime);
}

static int make_executable(struct linker *l, struct hd_err *err)
{
    if (check_main(l, err) != 0 || check_runtime(l, err) != 0)
        return -1;
    tell_native(l);
    if (hd_directories_resolve(l->program, err) != 0)
        return -1;
    if (hd_own_names(l->program, l->req->tools->runtime, err) != 0 || drop_unused(l, err) != 0)
        return -1;
    l->closed = l->closed && !hd_assembly_reads_files(l->program);
    if (l->req->rewrite(l->program, l->salt, l->req->driver->analysis, err) != 0)
        return -1;
    char *object = hd_str_format("%s/program.o", l->req->directory);
    hd_progress("generating code");
    int failed = hd_emit_object(l->program, object, err);
    if (!failed && l->closed)
        hd_program_keep(&l->entry, l->req->cache, l->req, object, &l->native);
    failed = failed || hd_native_link(l->req, object, &l->native, err);
    free(object);
    return failed ? -1 : 0;
}

/* Native code for programs that open it as a library.  It also contains the bitcode, which a
 * program that is linked with it uses instead. */
static int make_shared(struct linker *l, struct hd_err *err)
{
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(l->program);
    hd_bitcode_embed(l->program, HD_SECTION_MODULE, LLVMGetBufferStart(bitcode),
                     LLVMGetBufferSize(bitcode), 16);
    LLVMDisposeMemoryBuffer(bitcode);
    if (hd_emit_passes(l->program, "default<O2>", err) != 0)
        return -1;
    char *object = hd_str_format("%s/shared.o", l->req->directory);
    int failed = hd_emit_object(l->program, object, err) ||
                 hd_native_link(l->req, object, &l->native, err);
    free(object);
    return failed ? -1 : 0;
}

static int make_relocatable(struct linker *l, struct hd_err *err)
{
    for (size_t i = 0; i < l->resolver.n; i++)
        if (l->resolver.objects[i].native)
            return hd_err_set(err,
                              "-r: %s is native code and cannot be joined with bitcode; "
                              "compile it with heddle cc",
                              l->resolver.objects[i].name);
    return hd_emit_bitcode(l->program, l->req->output, err);
}

static int link_all(struct linker *l, struct hd_err *err)
{
    enum hd_driver_mode mode = l->req->driver->mode;
    if (mode == HD_DRIVER_LINK)
        hd_resolver_want(&l->resolver, "main");
    if (add_items(l, err) != 0)
        return -1;
    l->ours = true;
    if (mode == HD_DRIVER_LINK && wants_cxx(l->req->driver) &&
        add_archive(l, l->req->tools->cxx, err) != 0)
        return -1;
    if (hd_resolver_run(&l->resolver, err) != 0 || extract(l, err) != 0 ||
        hd_resolver_link(&l->resolver, l->program, err) != 0)
        return -1;
    if (mode == HD_DRIVER_SHARED)
        return make_shared(l, err);
    if (mode == HD_DRIVER_RELOCATABLE)
        return make_relocatable(l, err);
    return make_executable(l, err);
}

/* An object that was made before needs the native linker only.  False: there is none. */
static bool link_again(struct linker *l, int *failed, struct hd_err *err)
{
    if (l->req->driver->mode != HD_DRIVER_LINK)
        return false;
    char *object = hd_str_format("%s/program.o", l->req->directory);
    bool found = hd_program_find(&l->entry, l->req->cache, l->req, object, &l->native);
    if (found)
        *failed = check_runtime(l, err) || hd_native_link(l->req, object, &l->native, err) ? -1
                                                                                           : 0;
    free(object);
    return found;
}

int hd_link(const struct hd_link_request *request, struct hd_err *err)
{
    struct linker l = { .req = request, .closed = true };
    int failed = 0;
    hd_strs_init(&l.native);
    if (link_again(&l, &failed, err)) {
        hd_strs_release(&l.native);
        return failed;
    }
    LLVMContextRef context = LLVMContextCreate();
    hd_resolver_init(&l.resolver, context);
    l.program = LLVMModuleCreateWithNameInContext("program", context);
    failed = link_all(&l, err);
    hd_progress_end();
    hd_resolver_release(&l.resolver);
    LLVMDisposeModule(l.program);
    LLVMContextDispose(context);
    hd_strs_release(&l.native);
    for (size_t i = 0; i < l.n_archives; i++)
        hd_ar_release(&l.archives[i]);
    for (size_t i = 0; i < l.n_texts; i++)
        hd_str_release(&l.texts[i]);
    free(l.archives);
    free(l.texts);
    return failed;
}
