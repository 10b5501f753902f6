/* heddle help reason: a reason why a result is not `verified`. */
#include "base/nearest.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "report/obligations.h"

#include <stdio.h>
#include <string.h>

static void print_reason(const struct hd_obligation *o)
{
    printf("%s\n\nWhat must hold:   %s\nOtherwise:        %s\nWhat to do:       %s\n"
           "More:             docs/verdict.md#%s\n",
           o->name, o->claim, o->missed, o->remedy, o->name);
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
