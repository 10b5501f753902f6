/* The commands: one file each.  argv[0] is the command's own name; what follows are its options
 * and arguments.  Each returns the exit status of the process (enum hd_exit). */
#ifndef HD_CLI_COMMANDS_H
#define HD_CLI_COMMANDS_H

#include <stdbool.h>

int hd_cmd_cc(int argc, char **argv, bool cxx);
int hd_cmd_check(int argc, char **argv);
int hd_cmd_replay(int argc, char **argv);
int hd_cmd_slice(int argc, char **argv);
int hd_cmd_report(int argc, char **argv);
int hd_cmd_compare(int argc, char **argv);
int hd_cmd_confirm(int argc, char **argv);
int hd_cmd_orders(int argc, char **argv);
int hd_cmd_lin(int argc, char **argv);
int hd_cmd_split(int argc, char **argv);
int hd_cmd_merge(int argc, char **argv);
int hd_cmd_init(int argc, char **argv);
int hd_cmd_doctor(int argc, char **argv);
int hd_cmd_help(int argc, char **argv);

/* hd_cmd_check() of a file that is open already, as one who checks it often has it; it stays
 * open.  NULL: it is opened. */
struct hd_input;
int hd_check_opened(int argc, char **argv, struct hd_input *input);

/* The same after hd_check_init() has returned `status`; the check is released. */
struct hd_check;
struct hd_err;
int hd_check_run(struct hd_check *check, int status, struct hd_input *input, struct hd_err *err);

#endif
