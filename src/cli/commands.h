/* The commands: one file each.  argv[0] is the command's own name; what follows are its options
 * and arguments.  Each returns the exit status of the process. */
#ifndef HD_CLI_COMMANDS_H
#define HD_CLI_COMMANDS_H

#include <stdbool.h>

enum { /* exit status (a contract with scripts) */
       HD_EXIT_NONE = 0,         /* no violation */
       HD_EXIT_VIOLATION = 1,
       HD_EXIT_INPUT = 2,        /* usage or input error */
       HD_EXIT_NOT_VERIFIED = 3, /* --require-verified, and it is not */
       HD_EXIT_BUG = 4,          /* an error of heddle itself */
};

int hd_cmd_cc(int argc, char **argv, bool cxx);
int hd_cmd_check(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);

#endif
