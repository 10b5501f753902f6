/* heddle slice: what may influence a place in the source; and what looks wrong without
 * running. */
#include "report/slice.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/outputs.h"
#include "strategy/targets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option { HELP = 1, OWN, JSON, HTML, CUT, WARNINGS, NUMBERS, CC_FLAGS };

static const struct hd_arg table[] = {
    { OWN, "own-thread", 0, NULL,
      "only what the threads that run the place do themselves,\n"
      "not what other threads contribute" },
    { WARNINGS, "warnings", 0, NULL,
      "no slice: accesses that no lock keeps apart, and locks\n"
      "taken in an order that may end in a deadlock" },
    { NUMBERS, "numbers", 0, NULL, "no slice: the size of the program and of the facts" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { HTML, "html", 0, "FILE", "write a page (- for standard output)" },
    { CUT, "cut", 0, "FILE.o",
      "write the program without what the slice leaves out,\n"
      "an object for heddle cc" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

struct request {
    struct hd_strs words, files, targets, cc_flags;
    const char *json, *html, *cut;
    bool own, warnings, numbers, help;
};

static void print_help(void)
{
    fputs("usage: heddle slice [options] PROGRAM | FILE.c… FILE:LINE|FUNCTION…\n"
          "       heddle slice --warnings PROGRAM | FILE.c…\n\n"
          "Prints, for every thread entry, the source lines that may influence whether and with\n"
          "which values the place is reached.\n\n",
          stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs("\nExit status: 0, or 2 for a usage or input error.\n", stdout);
}

static int set_one(struct request *r, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case OWN:
        r->own = true;
        return 0;
    case WARNINGS:
        r->warnings = true;
        return 0;
    case NUMBERS:
        r->numbers = true;
        return 0;
    case JSON:
        r->json = value;
        return 0;
    case HTML:
        r->html = value;
        return 0;
    case CUT:
        r->cut = value;
        return 0;
    case HELP:
        r->help = true;
        return 0;
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &r->cc_flags, err);
    default:
        hd_strs_add(&r->words, value);
        return 0;
    }
}

/* The program or the C files come first, places in them after. */
static int sort_words(struct request *r, struct hd_err *err)
{
    bool places = false;
    for (size_t i = 0; i < r->words.n; i++) {
        const char *word = r->words.items[i];
        places |= r->files.n > 0 && !hd_fs_exists(word);
        hd_strs_add(places ? &r->targets : &r->files, word);
    }
    if (r->files.n == 0)
        return hd_err_set(err, "no program: heddle slice PROGRAM FILE:LINE");
    if (r->targets.n == 0 && !r->warnings && !r->numbers)
        return hd_err_set(err, "no place in the source: heddle slice %s FILE:LINE",
                          r->files.items[0]);
    if (r->targets.n && (r->warnings || r->numbers))
        return hd_err_set(err, "%s: --%s is about the whole program", r->targets.items[0],
                          r->warnings ? "warnings" : "numbers");
    if (r->html && (r->warnings || r->numbers))
        return hd_err_set(err, "--html is for slices; use --json");
    if (r->cut && (r->own || r->json || r->html || r->warnings || r->numbers))
        return hd_err_set(err,
                          "--cut writes an object and nothing else: leave out the other options");
    return 0;
}

static int parse(struct request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &r->cc_flags;
    for (;;) {
        int id = hd_args_next(&args, &value, err);
        if (id == HD_ARG_BAD || (id >= 0 && set_one(r, id, value, err) != 0))
            return -1;
        if (id == HD_ARG_END)
            return r->help ? 0 : sort_words(r, err);
    }
}

static int write_out(const char *path, const struct hd_str *text, struct hd_err *err)
{
    if (path && strcmp(path, "-") != 0)
        return hd_fs_write(path, text->text, text->length, err);
    fwrite(text->text, 1, text->length, stdout);
    if ((fflush(stdout) != 0 || ferror(stdout)) && !hd_outputs_reader_left())
        return hd_err_set(err, "cannot write to standard output: %s", strerror(errno));
    return 0;
}

static int print_slice(struct request *r, struct hd_query *query, const char *name,
                       struct hd_err *err)
{
    struct hd_sliced sliced;
    struct hd_str text;
    if (hd_query_slice(query, &r->targets, !r->own, &sliced, err) != 0)
        return -1;
    struct hd_slice_report report = { HD_VERSION, name, &r->targets, !r->own, &sliced };
    int failed = 0;
    hd_str_init(&text);
    if (r->json) {
        hd_slice_json(&text, &report);
        failed = write_out(r->json, &text, err);
    }
    if (r->html && !failed) {
        hd_str_clear(&text);
        hd_slice_html(&text, &report);
        failed = write_out(r->html, &text, err);
    }
    if (!r->json && !r->html) {
        hd_slice_text(&text, &report);
        failed = write_out(NULL, &text, err);
    }
    hd_str_release(&text);
    hd_sliced_release(&sliced);
    return failed;
}

static int print_warnings(struct request *r, struct hd_query *query, const char *name,
                          struct hd_err *err)
{
    struct hd_warned_list list;
    struct hd_str text;
    hd_str_init(&text);
    hd_query_warnings(query, &list);
    if (r->json)
        hd_warnings_json(&text, HD_VERSION, name, &list);
    else
        hd_warnings_text(&text, &list);
    int failed = write_out(r->json, &text, err);
    hd_warned_list_release(&list);
    hd_str_release(&text);
    return failed;
}

static int print_numbers(struct request *r, struct hd_query *query, const char *name,
                         struct hd_err *err)
{
    struct hd_query_numbers n = hd_query_numbers(query);
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "{\"program\": ");
    hd_json_string(&text, hd_fs_base(name));
    hd_str_appendf(&text,
                   ", \"functions\": %u, \"blocks\": %u, \"instructions\": "
                   "%u, \"entries\": %u, \"objects\": %u, \"nodes\": %u, \"merged\": %u, "
                   "\"accesses\": %u, \"shared\": %u, \"seconds\": %.3f}\n",
                   n.functions, n.blocks, n.instructions, n.entries, n.objects, n.nodes, n.merged,
                   n.accesses, n.shared, n.seconds);
    int failed = write_out(r->json, &text, err);
    hd_str_release(&text);
    return failed;
}

static int write_cut(struct request *r, struct hd_query *query, const struct hd_program *program,
                     struct hd_err *err)
{
    struct hd_str bitcode;
    hd_str_init(&bitcode);
    struct hd_query_sites sites = hd_targets_sites(program);
    int failed = hd_query_cut(query, &sites, &r->targets, &bitcode, err);
    hd_targets_sites_release(&sites);
    if (!failed)
        failed = write_out(r->cut, &bitcode, err);
    hd_str_release(&bitcode);
    return failed;
}

static int answer(struct request *r, struct hd_err *err)
{
    struct hd_input input;
    struct hd_query *query = NULL;
    size_t n;
    if (hd_input_open(&input, &r->files, &r->cc_flags, err) != 0)
        return -1;
    const char *name = r->files.items[0];
    const void *module = hd_program_module(input.program, &n);
    int failed = hd_query_open(&query, module, n, name, err);
    if (!failed)
        failed = r->cut        ? write_cut(r, query, input.program, err)
                 : r->warnings ? print_warnings(r, query, name, err)
                 : r->numbers  ? print_numbers(r, query, name, err)
                               : print_slice(r, query, name, err);
    hd_query_close(query);
    hd_input_close(&input);
    return failed;
}

int hd_cmd_slice(int argc, char **argv)
{
    struct request r = { 0 };
    struct hd_err err = { { 0 } };
    hd_strs_init(&r.words);
    hd_strs_init(&r.files);
    hd_strs_init(&r.targets);
    hd_strs_init(&r.cc_flags);
    int failed = parse(&r, argc, argv, &err);
    if (!failed && r.help)
        print_help();
    else if (!failed)
        failed = answer(&r, &err);
    hd_strs_release(&r.words);
    hd_strs_release(&r.files);
    hd_strs_release(&r.targets);
    hd_strs_release(&r.cc_flags);
    return failed ? hd_input_fail(&err, HD_EXIT_INPUT) : HD_EXIT_OK;
}
