/* Values of options of `heddle check` that are words. */
#ifndef HD_CLI_CHECK_VALUES_H
#define HD_CLI_CHECK_VALUES_H

#include "base/err.h"
#include "core/options.h"

/* Each sets its field, or returns -1 with err, which says which values there are. */
int hd_value_nondet(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_files(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_input(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_faults(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_reuse(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_races(struct hd_options *options, const char *value, struct hd_err *err);
int hd_value_livelocks(struct hd_options *options, const char *value, struct hd_err *err);

#endif
