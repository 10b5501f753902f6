/* The rules of a suppression file: data races that are not reported, and volatile accesses
 * that count as atomic.  They are part of the options, so that every worker has them. */
#ifndef HD_CORE_SUPPRESS_H
#define HD_CORE_SUPPRESS_H

#include <stdbool.h>
#include <stdint.h>

enum hd_rule_kind { HD_RULE_RACE = 1, HD_RULE_VOLATILE };
enum hd_rule_by { HD_RULE_FILE = 1, HD_RULE_FUNCTION, HD_RULE_VARIABLE };

#define HD_MAX_RULES 128
#define HD_MAX_RULE_PATTERN 124 /* with its NUL */
#define HD_MAX_RULE_RANGES 512

struct hd_rule {
    uint32_t kind, by;
    uint32_t line; /* of the file, from 1 */
    char pattern[HD_MAX_RULE_PATTERN];
};

/* Memory that a rule for a variable means; addresses are in the executable's own numbering. */
struct hd_rule_range {
    uint64_t begin, end;
    uint32_t rule, pad;
};

struct hd_suppressions {
    uint32_t n, n_ranges;
    uint32_t n_races, n_volatile; /* rules of each kind */
    struct hd_rule rules[HD_MAX_RULES];
    struct hd_rule_range ranges[HD_MAX_RULE_RANGES];
};

/* `*` stands for any text, `?` for one character.  Takes time in proportion to the product of
 * the lengths at most. */
bool hd_glob_matches(const char *pattern, const char *text);

/* The first rule of that kind that names the place of an access, + 1; 0: none does.  A pattern
 * for a file is compared with the path, and with each end of it that begins after a slash. */
uint32_t hd_rule_of_place(const struct hd_suppressions *s, enum hd_rule_kind kind,
                          const char *file, const char *function, const char *variable);

/* The first rule of that kind that means the byte at this address, + 1; 0: none does. */
uint32_t hd_rule_of_address(const struct hd_suppressions *s, enum hd_rule_kind kind,
                            uint64_t address);

#endif
