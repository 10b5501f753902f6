#include "cli/lin_request.h"

#include "base/fs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A path from the folder `from` to `to`; both are absolute, without links.  The caller's. */
static char *relative(const char *from, const char *to)
{
    struct hd_str out;
    size_t same = 0, i = 0;
    for (; from[i] && from[i] == to[i]; i++)
        if (to[i] == '/')
            same = i + 1;
    if (!from[i] && to[i] == '/')
        same = ++i;
    hd_str_init(&out);
    for (const char *at = same > strlen(from) ? "" : from + same; *at;) {
        hd_str_append(&out, "../");
        at += strcspn(at, "/");
        at += *at == '/';
    }
    hd_str_append(&out, to + same);
    char *path = hd_strdup(out.text && *out.text ? out.text : ".");
    hd_str_release(&out);
    return path;
}

/* The path as it is seen from the folder of the written file; the caller's. */
static char *seen_from(const struct hd_lin *l, const char *path)
{
    char *copy = hd_strdup(l->emit), *slash = strrchr(copy, '/');
    if (slash)
        slash[slash == copy] = 0;
    char *folder = realpath(slash ? copy : ".", NULL), *whole = realpath(path, NULL);
    char *seen = folder && whole ? relative(folder, whole) : hd_strdup(path);
    free(copy);
    free(folder);
    free(whole);
    return seen;
}

/* Does the file have the operations?  The others are files of the program beside it. */
static bool has_operations(const char *path)
{
    struct hd_str text;
    struct hd_err ignored = { "" };
    hd_str_init(&text);
    bool has = hd_fs_read(path, &text, &ignored) == 0 && text.length &&
               strstr(text.text, "heddle/lin.h") != NULL;
    hd_str_release(&text);
    return has;
}

/* An option that names a folder: its path, or NULL. */
static const char *folder_of(const char *flag)
{
    static const char *const with[] = { "-I", "-iquote", "-isystem", "-include" };
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (hd_str_starts(flag, with[i]) && flag[strlen(with[i])])
            return flag + strlen(with[i]);
    return NULL;
}

/* The options, whose folders are seen from that of the file. */
static void add_flags(struct hd_str *out, const struct hd_lin *l)
{
    struct hd_str flags;
    bool folder_next = false;
    hd_str_init(&flags);
    for (size_t i = 0; i < l->cc_flags.n; i++) {
        const char *flag = l->cc_flags.items[i];
        const char *path = folder_next ? flag : folder_of(flag);
        char *seen = path ? seen_from(l, path) : hd_strdup("");
        char *word = hd_str_format("%.*s%s", path ? (int)(path - flag) : (int)strlen(flag), flag,
                                   seen);
        hd_str_append(&flags, i ? " " : "");
        hd_input_option_word(&flags, word);
        folder_next = strcmp(flag, "-I") == 0 || strcmp(flag, "-iquote") == 0 ||
                      strcmp(flag, "-isystem") == 0 || strcmp(flag, "-include") == 0;
        free(seen);
        free(word);
    }
    if (l->cc_flags.n) {
        hd_str_append(out, " --cc-flags ");
        hd_input_shell_word(out, flags.text);
    }
    hd_str_release(&flags);
}

int hd_lin_emit(const struct hd_lin *l, struct hd_err *err)
{
    struct hd_str text, others;
    size_t with = 0;
    hd_str_init(&text);
    hd_str_init(&others);
    while (with + 1 < l->files.n && !has_operations(l->files.items[with]))
        with++;
    for (size_t i = 0; i < l->files.n; i++) {
        char *path = seen_from(l, l->files.items[i]);
        if (i != with) {
            hd_str_append(&others, " ");
            hd_input_shell_word(&others, path);
        }
        free(path);
    }
    hd_str_append(&text,
                  "/* A scenario in which the operations of the included file fail.  Check "
                  "it in this folder with\n *     heddle check");
    add_flags(&text, l);
    char *path = seen_from(l, l->files.items[with]);
    hd_str_appendf(&text,
                   " %s%s\n */\n#define HEDDLE_LIN_SCENARIO \"%s\"\n#define "
                   "HEDDLE_LIN_CHECK %llu\n%s#include \"%s\"\n",
                   hd_fs_base(l->emit), others.length ? others.text : "", l->failing,
                   (unsigned long long)l->check, l->weak ? "#define HEDDLE_LIN_WEAK 1\n" : "",
                   path);
    free(path);
    int failed = hd_fs_write(l->emit, text.text, text.length, err);
    if (!failed)
        printf("  the scenario as a program: %s\n", l->emit);
    hd_str_release(&text);
    hd_str_release(&others);
    return failed;
}
