/* How arguments are classified: options.def lists those that take a separate argument, those
 * that hand the whole job to clang, and those that heddle replaces or ignores.  Everything else
 * that begins with a dash goes to the compiler unchanged. */
#include "compile/driver.h"

#include "base/fs.h"

#include <stdlib.h>
#include <string.h>

enum rule {
    RULE_PASS,     /* clang does everything */
    RULE_DROP,     /* without meaning for heddle, or set by heddle itself */
    RULE_COMPILE,  /* with its separate argument */
    RULE_LINK,     /* for the linker */
    RULE_LINK_ARG, /* for the linker, with its separate argument */
    RULE_BOTH,     /* for compiler and linker */
    RULE_BOTH_ARG, /* for compiler and linker, with its separate argument */
    RULE_JOINED,   /* for the compiler; the argument is joined or separate (-I dir, -Idir) */
    RULE_NOTE,     /* ignored, with a note to the user */
    RULE_REFUSE,   /* an error */
};

/* prefix: the option may go on after the text */
static const struct option {
    const char *text;
    bool prefix;
    enum rule rule;
    const char *why;
} options[] = {
#define OPTION(text, prefix, rule, why) { text, prefix, RULE_##rule, why },
#include "compile/options.def"
#undef OPTION
};

static const char *const cxx_extensions[] = {
    ".cc", ".cpp", ".cxx", ".C", ".c++", ".ii", ".CPP"
};
static const char *const c_extensions[] = { ".c", ".i" };

static bool one_of(const char *text, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(text, list[i]) == 0)
            return true;
    return false;
}

static bool is_cxx_source(const char *path)
{
    return one_of(hd_fs_extension(path), cxx_extensions,
                  sizeof cxx_extensions / sizeof *cxx_extensions);
}

bool hd_driver_is_source(const char *path)
{
    return is_cxx_source(path) || one_of(hd_fs_extension(path), c_extensions,
                                         sizeof c_extensions / sizeof *c_extensions);
}

static bool is_assembly(const char *path)
{
    const char *extension = hd_fs_extension(path);
    return strcmp(extension, ".s") == 0 || strcmp(extension, ".S") == 0;
}

static void add_item(struct hd_driver *d, enum hd_item_kind kind, const char *text,
                     const char *language)
{
    d->items = hd_realloc(d->items, (d->n_items + 1) * sizeof *d->items);
    d->items[d->n_items++] = (struct hd_item){ kind, hd_strdup(text),
                                               language ? hd_strdup(language) : NULL };
}

static void add_input(struct hd_driver *d, const char *path, const char *language)
{
    if (language && hd_str_starts(language, "assembler"))
        add_item(d, HD_ITEM_ASSEMBLY, path, language);
    else if (language || hd_driver_is_source(path))
        add_item(d, HD_ITEM_SOURCE, path, language);
    else if (is_assembly(path))
        add_item(d, HD_ITEM_ASSEMBLY, path, NULL);
    else
        add_item(d, HD_ITEM_FILE, path, NULL);
}

static const struct option *find_option(const char *arg)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const struct option *o = &options[i];
        if (o->prefix ? hd_str_starts(arg, o->text) : strcmp(arg, o->text) == 0)
            return o;
    }
    return NULL;
}

/* One response file's words: blanks separate, quotes and backslashes protect. */
static void split_words(const char *p, struct hd_strs *words)
{
    struct hd_str word;
    hd_str_init(&word);
    bool open = false;
    for (char quote = 0; *p; p++) {
        if (*p == '\\' && p[1]) {
            hd_str_append_char(&word, *++p);
            open = true;
        } else if (quote ? *p == quote : *p == '\'' || *p == '"') {
            quote = quote ? 0 : *p;
            open = true;
        } else if (!quote && strchr(" \t\r\n", *p)) {
            if (open)
                hd_strs_add(words, word.text);
            hd_str_clear(&word);
            open = false;
        } else {
            hd_str_append_char(&word, *p);
            open = true;
        }
    }
    if (open)
        hd_strs_add(words, word.text);
    hd_str_release(&word);
}

static int expand(struct hd_strs *words, const char *arg, int nesting, struct hd_err *err)
{
    if (arg[0] != '@' || !hd_fs_exists(arg + 1)) {
        hd_strs_add(words, arg);
        return 0;
    }
    if (nesting > 8)
        return hd_err_set(err, "%s: response files are nested too deeply", arg);
    struct hd_str text;
    struct hd_strs inner;
    hd_str_init(&text);
    hd_strs_init(&inner);
    int failed = hd_fs_read(arg + 1, &text, err);
    split_words(text.text, &inner);
    for (size_t i = 0; i < inner.n && !failed; i++)
        failed = expand(words, inner.items[i], nesting + 1, err);
    hd_strs_release(&inner);
    hd_str_release(&text);
    return failed;
}

static void add_link_flag(struct hd_driver *d, const char *text)
{
    add_item(d, HD_ITEM_FLAG, text, NULL);
}

static void apply_separate(struct hd_driver *d, enum rule rule, const char *arg,
                           const char *value)
{
    if (rule != RULE_LINK_ARG) {
        hd_strs_add(&d->compile_flags, arg);
        if (value)
            hd_strs_add(&d->compile_flags, value);
    }
    if (rule == RULE_LINK_ARG || rule == RULE_BOTH_ARG) {
        add_link_flag(d, arg);
        if (value)
            add_link_flag(d, value);
    }
}

/* An option of the table; *i moves over a separate argument. */
static int apply(struct hd_driver *d, const struct option *o, const struct hd_strs *words,
                 size_t *i, struct hd_err *err)
{
    const char *arg = words->items[*i];
    bool separate = o->rule == RULE_COMPILE || o->rule == RULE_LINK_ARG ||
                    o->rule == RULE_BOTH_ARG ||
                    (o->rule == RULE_JOINED && strcmp(arg, o->text) == 0);
    const char *value = NULL;
    if (separate) {
        if (*i + 1 >= words->n)
            return hd_err_set(err, "%s needs an argument", arg);
        value = words->items[++*i];
    }
    switch (o->rule) {
    case RULE_PASS:
        d->mode = HD_DRIVER_PASS;
        break;
    case RULE_NOTE:
        hd_strs_addf(&d->notes, "%s is ignored: %s", arg, o->why);
        break;
    case RULE_REFUSE:
        return hd_err_set(err, "%s is not supported: %s", arg, o->why);
    case RULE_DROP:
        break;
    case RULE_LINK:
        add_link_flag(d, arg);
        break;
    case RULE_BOTH:
        hd_strs_add(&d->compile_flags, arg);
        add_link_flag(d, arg);
        break;
    default:
        apply_separate(d, o->rule, arg, value);
    }
    return 0;
}

static void set_mode(struct hd_driver *d, enum hd_driver_mode mode)
{
    if (d->mode != HD_DRIVER_PASS)
        d->mode = mode;
}

/* "-ofile" and "-o file" alike; NULL when the argument is missing. */
static const char *value_of(const struct hd_strs *words, size_t *i)
{
    const char *arg = words->items[*i];
    if (arg[2])
        return arg + 2;
    return *i + 1 < words->n ? words->items[++*i] : NULL;
}

static bool is_output(const char *arg)
{
    return arg[1] == 'o' && !hd_str_starts(arg, "-object") && !hd_str_starts(arg, "-output");
}

/* Options that the driver itself must understand.  Returns 1 when `arg` is one of them. */
static int own_option(struct hd_driver *d, const struct hd_strs *words, size_t *i,
                      const char **language, struct hd_err *err)
{
    const char *arg = words->items[*i], *value = "";
    if (strcmp(arg, "-c") == 0) {
        set_mode(d, HD_DRIVER_COMPILE);
    } else if (strcmp(arg, "-shared") == 0 || strcmp(arg, "--shared") == 0) {
        if (d->mode != HD_DRIVER_COMPILE)
            set_mode(d, HD_DRIVER_SHARED);
    } else if (strcmp(arg, "-r") == 0) {
        if (d->mode != HD_DRIVER_COMPILE)
            set_mode(d, HD_DRIVER_RELOCATABLE);
    } else if (is_output(arg)) {
        if ((value = value_of(words, i)) != NULL) {
            free(d->output);
            d->output = hd_strdup(value);
        }
    } else if (arg[1] == 'x') {
        if ((value = value_of(words, i)) != NULL)
            *language = strcmp(value, "none") == 0 ? NULL : value;
    } else if (arg[1] == 'l') {
        if ((value = value_of(words, i)) != NULL)
            add_item(d, HD_ITEM_LIBRARY, value, NULL);
    } else if (arg[1] == 'L') {
        if ((value = value_of(words, i)) != NULL)
            hd_strs_add(&d->library_dirs, value);
    } else if (arg[1] == 'O') {
        d->unoptimised = strcmp(arg, "-O0") == 0;
    } else {
        return 0;
    }
    if (value == NULL)
        return hd_err_set(err, "%s needs an argument", arg);
    return 1;
}

static int parse(struct hd_driver *d, const struct hd_strs *words, struct hd_err *err)
{
    const char *language = NULL;
    for (size_t i = 0; i < words->n; i++) {
        const char *arg = words->items[i];
        if (arg[0] != '-' || arg[1] == 0) {
            add_input(d, arg, language);
            continue;
        }
        const struct option *o = find_option(arg);
        if (o != NULL) {
            if (apply(d, o, words, &i, err) != 0)
                return -1;
            continue;
        }
        int own = own_option(d, words, &i, &language, err);
        if (own < 0)
            return -1;
        if (own == 0)
            hd_strs_add(&d->compile_flags, arg);
    }
    return 0;
}

static int set_analysis(struct hd_driver *d, const char *value, struct hd_err *err)
{
    static const char *const modes[] = { "off", "fast", "full", "all" };
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (strcmp(value, modes[i]) == 0) {
            free(d->analysis);
            d->analysis = hd_strdup(value);
            return 0;
        }
    return hd_err_set(err, "--analysis %s: use off, fast, full or all", value);
}

/* Takes out heddle's own options, which clang does not know. */
static int take_own(struct hd_driver *d, struct hd_strs *words, struct hd_err *err)
{
    static const char name[] = "--analysis";
    struct hd_strs rest;
    int failed = 0;
    hd_strs_init(&rest);
    for (size_t i = 0; i < words->n && !failed; i++) {
        const char *arg = words->items[i];
        if (hd_str_starts(arg, "--analysis="))
            failed = set_analysis(d, arg + sizeof name, err);
        else if (strcmp(arg, name) != 0)
            hd_strs_add(&rest, arg);
        else if (++i < words->n)
            failed = set_analysis(d, words->items[i], err);
        else
            failed = hd_err_set(err, "--analysis needs an argument: off, fast, full or all");
    }
    hd_strs_release(words);
    *words = rest;
    return failed;
}

static bool has_input(const struct hd_driver *d)
{
    for (size_t i = 0; i < d->n_items; i++)
        if (d->items[i].kind != HD_ITEM_FLAG)
            return true;
    return false;
}

int hd_driver_init(struct hd_driver *d, int argc, char *const *argv, bool cxx, struct hd_err *err)
{
    struct hd_strs words;
    *d = (struct hd_driver){ .mode = HD_DRIVER_LINK, .cxx = cxx, .unoptimised = true };
    hd_strs_init(&words);
    int failed = 0;
    for (int i = 1; i < argc && !failed; i++)
        failed = expand(&words, argv[i], 0, err);
    if (!failed)
        failed = take_own(d, &words, err);
    if (!failed)
        failed = parse(d, &words, err);
    hd_strs_add_all(&d->passed, &words);
    if (!failed && !has_input(d) && d->mode != HD_DRIVER_PASS) {
        /* asked for a version, the compiler's or its linker's */
        if (hd_strs_has(&words, "-v") || hd_strs_has(&words, "-Wl,--version") ||
            hd_strs_has(&words, "-Wl,-v"))
            d->mode = HD_DRIVER_PASS;
        else
            failed = hd_err_set(err, "no input files");
    }
    hd_strs_release(&words);
    return failed;
}

void hd_driver_release(struct hd_driver *d)
{
    for (size_t i = 0; i < d->n_items; i++) {
        free(d->items[i].text);
        free(d->items[i].language);
    }
    free(d->items);
    free(d->output);
    free(d->analysis);
    hd_strs_release(&d->compile_flags);
    hd_strs_release(&d->library_dirs);
    hd_strs_release(&d->passed);
    hd_strs_release(&d->notes);
    *d = (struct hd_driver){ 0 };
}

bool hd_driver_is_cxx(const struct hd_driver *d)
{
    if (d->cxx)
        return true;
    for (size_t i = 0; i < d->n_items; i++) {
        const struct hd_item *item = &d->items[i];
        if (item->kind != HD_ITEM_SOURCE)
            continue;
        if (item->language ? hd_str_starts(item->language, "c++") : is_cxx_source(item->text))
            return true;
    }
    return false;
}
