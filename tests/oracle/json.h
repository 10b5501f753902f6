/* Looking things up in a JSON text, without a copy.  A value is a pointer to its first character;
 * NULL stands for what is not there or not well formed, and is accepted everywhere. */
#ifndef ORC_JSON_H
#define ORC_JSON_H

#include <stdbool.h>
#include <stdint.h>

const char *orc_json_root(const char *text); /* NULL unless the text is one whole value */
const char *orc_json_member(const char *object, const char *key);
const char *orc_json_first(const char *array);
const char *orc_json_next(const char *element);
bool orc_json_is(const char *value, const char *string); /* the string, without escapes */
bool orc_json_true(const char *value);
uint64_t orc_json_number(const char *value); /* UINT64_MAX when it is no whole number */

bool orc_json_has(const char *array, const char *string); /* … as an element */

/* Is that string the only element of the array? */
bool orc_json_is_only(const char *array, const char *string);

#endif
