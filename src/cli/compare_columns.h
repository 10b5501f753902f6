/* The columns of `heddle compare`: each is a check with options of its own and those that all
 * columns share. */
#ifndef HD_CLI_COMPARE_COLUMNS_H
#define HD_CLI_COMPARE_COLUMNS_H

#include "base/err.h"
#include "base/str.h"
#include "cli/check_request.h"

#define HD_COMPARE_STRATEGIES                                                                                   \
    "optimal,rf,source,inspect,dpor:plain,jpf,jpf:states,stateful,hybrid,hybrid:hr,dpor-stateful,hr,hr-fields," \
    "scale,scale:nsb,chess:2,chess-states:2,chess-sync:2,hgs:1,hgs-jpf:1,meta:1,slice-n-dice,random:1,"         \
    "pct:3:1,pos:1,brute"

struct hd_column {
    char *name;           /* as tables have it */
    struct hd_strs words; /* the options of this column alone */
};

struct hd_columns {
    struct hd_column *items;
    size_t n;
};

void hd_columns_init(struct hd_columns *columns);
void hd_columns_release(struct hd_columns *columns);

/* One column for each preset of a list, or file of a strategy. */
void hd_columns_add_presets(struct hd_columns *columns, const char *list);
/* A chain of reductions, as --reduce of heddle check takes it. */
void hd_columns_add_chain(struct hd_columns *columns, const char *chain);
/* Options of heddle check in one text, as a shell cuts it; NAME=… says how tables call it. */
int hd_columns_add_options(struct hd_columns *columns, const char *text, struct hd_err *err);

/* The check of a column: its options behind the common ones.  Release *check and *words in any
 * case; *check points into *words.  -1 with err, which says what heddle check refuses. */
int hd_column_check(const struct hd_column *column, const struct hd_strs *common,
                    const char *file, struct hd_check *check, struct hd_strs *words,
                    struct hd_err *err);

#endif
