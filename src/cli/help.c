/* heddle help reason: a reason why a result is not `verified`. */
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "report/obligations.h"

#include <stdio.h>
#include <string.h>

/* The texts are those of docs/verdict.md: a link becomes its words and the page, or the page
 * alone where it is in parentheses already; code becomes its words. */
static void print_plain(const char *title, const char *text)
{
    printf("%s", title);
    for (char before = 0; *text; before = *text++) {
        const char *middle = *text == '[' ? strstr(text, "](") : NULL;
        const char *end = middle ? strchr(middle, ')') : NULL;
        if (end) {
            int words = before == '(' ? 0 : (int)(middle - text - 1);
            printf(words ? "%.*s (docs/%.*s)" : "%.*sdocs/%.*s", words, text + 1,
                   (int)(end - middle - 2), middle + 2);
            text = end;
        } else if (*text != '`') {
            putchar(*text);
        }
    }
    putchar('\n');
}

/* Which option shortens a search depends on the program; docs/guide.md has the same table. */
static const char shorter[] =
    "\nThreads that …                                     are explored sooner with\n"
    "  lock one mutex, touch different things under it    --finer locks\n"
    "  mostly store (seq_cst) what few others load        --strategy rf\n"
    "  lead to the same states in many orders             --strategy stateful\n"
    "  are alike (same function, same argument)           nothing: the default finds out\n"
    "  use atomics weaker than seq_cst                    nothing: the default uses graph\n"
    "`heddle compare` tries several side by side.\n\n";

static void print_reason(const struct hd_obligation *o)
{
    printf("%s\n\n", o->name);
    print_plain("What must hold:   ", o->claim);
    print_plain("Otherwise:        ", o->missed);
    print_plain("What to do:       ", o->remedy);
    if (strcmp(o->name, "finished") == 0)
        fputs(shorter, stdout);
    printf("More:             docs/verdict.md#%s\n", o->name);
}

static int reason(const char *name, struct hd_err *err)
{
    struct hd_nearest nearest;
    hd_nearest_init(&nearest, name);
    for (uint32_t i = 0; i < hd_n_obligations; i++) {
        if (strcmp(hd_obligations[i].name, name) == 0) {
            print_reason(&hd_obligations[i]);
            return 0;
        }
        hd_nearest_try(&nearest, hd_obligations[i].name);
    }
    return nearest.best
               ? hd_err_set(err,
                            "no reason is called %.40s (did you mean %s?); `heddle help "
                            "reason` lists them",
                            name, nearest.best)
               : hd_err_set(err, "no reason is called %.40s; `heddle help reason` lists them",
                            name);
}

int hd_cmd_help(int argc, char **argv)
{
    struct hd_err err = { "" };
    if (strcmp(argv[1], "reason") != 0) {
        hd_err_set(&err,
                   "%.40s is no command; there are `heddle help`, `heddle help COMMAND` and "
                   "`heddle help reason NAME`",
                   argv[1]);
        return hd_input_fail(&err, HD_EXIT_INPUT);
    }
    for (uint32_t i = 0; argc == 2 && i < hd_n_obligations; i++)
        printf("%-12s %s\n", hd_obligations[i].name, hd_obligations[i].claim);
    for (int i = 2; i < argc; i++) {
        if (i > 2)
            printf("\n");
        char *comma = strrchr(argv[i], ','); /* as the output lists them */
        if (comma && !comma[1])
            *comma = 0;
        if (reason(argv[i], &err) != 0)
            return hd_input_fail(&err, HD_EXIT_INPUT);
    }
    return HD_EXIT_OK;
}
