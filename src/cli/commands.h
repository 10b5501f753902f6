/* The commands of heddle: one file each.  argv[0] is the command's name; the result is the
 * exit status (enum hd_exit). */
#ifndef HD_CLI_COMMANDS_H
#define HD_CLI_COMMANDS_H

#include <stdbool.h>

int hd_cmd_cc(int argc, char **argv, bool cxx);
int hd_cmd_check(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);

#endif
