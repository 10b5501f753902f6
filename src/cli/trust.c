#define _GNU_SOURCE
#include "cli/trust.h"

#include "base/fs.h"
#include "base/key.h"
#include "base/shown.h"
#include "cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool hd_trust_matters(const struct hd_trace_head *head)
{
    return head->cc_flags.n || head->args.n || head->invariants.n || head->checker;
}

void hd_trust_warn(const struct hd_trace_head *head)
{
    struct hd_key key;
    struct hd_err why;
    if (!hd_trust_matters(head) || hd_key_get(&key, true, &why) == 0)
        return;
    char *text = hd_shown_dup(why.text);
    fprintf(stderr,
            "heddle: warning: the traces are not signed, so their replay will want "
            "--trust: %s\n",
            text);
    free(text);
}

static void word(struct hd_str *out, const char *text)
{
    hd_str_append_char(out, ' ');
    hd_input_shell_word(out, text);
}

/* " --cc-flags '…'": words in a word. */
static void add_flags(struct hd_str *out, const struct hd_strs *flags)
{
    struct hd_str inner;
    if (flags->n == 0)
        return;
    hd_str_init(&inner);
    for (size_t i = 0; i < flags->n; i++) {
        if (i)
            hd_str_append_char(&inner, ' ');
        hd_input_option_word(&inner, flags->items[i]);
    }
    hd_str_append(out, " --cc-flags");
    word(out, inner.text);
    hd_str_release(&inner);
}

/* Show what the trace would have used. */
static void add_wishes(struct hd_str *out, const struct hd_trace_head *head)
{
    add_flags(out, &head->cc_flags);
    for (size_t i = 0; i < head->invariants.n; i++) {
        hd_str_append(out, " --invariant");
        word(out, head->invariants.items[i]);
    }
    if (head->checker) {
        hd_str_append(out, " --strategy");
        word(out, head->checker);
    }
    if (head->args.n)
        hd_str_append(out, " --");
    for (size_t i = 0; i < head->args.n; i++)
        word(out, head->args.items[i]);
}

static void add_files(struct hd_str *out, const struct hd_trust *r,
                      const struct hd_trace_head *head)
{
    const struct hd_strs *files = r->files->n ? r->files : &head->sources;
    for (size_t i = 0; i < files->n; i++) {
        if (r->file_option)
            word(out, r->file_option);
        word(out, files->items[i]);
    }
    if (files->n == 0) {
        if (r->file_option)
            word(out, r->file_option);
        word(out, head->program);
    }
}

/* The command that names everything itself, or with an invariant or a checker, which it cannot
 * name, --trust. */
static void add_command(struct hd_str *out, const struct hd_trust *r,
                        const struct hd_trace_head *head)
{
    bool names_all = head->invariants.n == 0 && !head->checker;
    hd_input_shell_word(out, program_invocation_name);
    hd_str_appendf(out, " %s", r->command);
    if (names_all)
        add_flags(out, &head->cc_flags);
    else
        hd_str_append(out, " --trust");
    if (names_all || r->files->n)
        add_files(out, r, head);
    word(out, r->path);
    if (r->rest)
        hd_str_append(out, r->rest);
    if (names_all && head->args.n)
        hd_str_append(out, " --");
    for (size_t i = 0; names_all && i < head->args.n; i++)
        word(out, head->args.items[i]);
}

static int refuse(const struct hd_trust *r, const struct hd_trace_head *head, struct hd_err *err)
{
    struct hd_str wishes, command;
    hd_str_init(&wishes);
    hd_str_init(&command);
    add_wishes(&wishes, head);
    add_command(&command, r, head);
    if (wishes.length + command.length + strlen(r->path) > sizeof err->text - 200)
        hd_err_set(
            err,
            "%s was not made by this user: what it says of compiler options, arguments and "
            "the program is not used; look at its first lines, then give these on the "
            "command line (--cc-flags), or --trust",
            r->path);
    else if (head->invariants.n || head->checker)
        hd_err_set(err,
                   "%s was not made by this user, and asks for%s, which is not used; if you want "
                   "it, type: %s",
                   r->path, wishes.text, command.text);
    else
        hd_err_set(
            err,
            "%s was not made by this user: what it says of compiler options, arguments and "
            "the program is not used; look at it, and if you want it, type: %s",
            r->path, command.text);
    hd_str_release(&wishes);
    hd_str_release(&command);
    return -1;
}

static void replace(struct hd_strs *own, const struct hd_strs *with)
{
    hd_strs_release(own);
    hd_strs_init(own);
    hd_strs_add_all(own, with);
}

static void say(const struct hd_trust *r, const struct hd_trace_head *head)
{
    struct hd_str wishes;
    hd_str_init(&wishes);
    add_wishes(&wishes, head);
    char *path = hd_shown_dup(r->path);
    fprintf(stderr, "heddle: trusting %s with%s\n", path, wishes.text);
    free(path);
    hd_str_release(&wishes);
}

/* A program may do different things under different names: the author of a foreign trace must
 * not choose it. */
static void settle_name(const struct hd_trust *r, struct hd_trace_head *head)
{
    if (strcmp(hd_fs_base(head->program), hd_fs_base(r->files->items[0])) != 0) {
        free(head->program);
        head->program = hd_strdup(r->files->items[0]);
    }
}

/* Does the trace have something that only its author has said, and nobody else? */
static bool lacks_word_of_user(const struct hd_trust *r, const struct hd_trace_head *head)
{
    return (head->cc_flags.n && !r->cc_flags->n) || (head->args.n && !*r->args) ||
           head->invariants.n || head->checker || r->files->n == 0;
}

int hd_trust_settle(const struct hd_trust *r, struct hd_trace *trace, struct hd_err *err)
{
    struct hd_trace_head *head = &trace->head;
    bool trusted = trace->by_user || r->trust || trace->bare;
    if (!trusted && lacks_word_of_user(r, head))
        return refuse(r, head, err);
    if (r->trust && !trace->by_user && hd_trust_matters(head))
        say(r, head);
    if (r->cc_flags->n)
        replace(&head->cc_flags, r->cc_flags);
    if (*r->args) {
        hd_strs_release(&head->args);
        hd_strs_init(&head->args);
    }
    for (char *const *arg = r->args; *arg; arg++)
        hd_strs_add(&head->args, *arg);
    if (!trusted)
        settle_name(r, head);
    return 0;
}
