/* Names of the program that code which heddle does not see may use. */
#ifndef HD_COMPILE_NATIVE_NAMES_H
#define HD_COMPILE_NATIVE_NAMES_H

#include "base/strmap.h"
#include "compile/driver.h"
#include "compile/resolve.h"

#include <stdbool.h>

/* Adds the symbols of native objects and libraries to `names`: what these use, and what they
 * define, because the program's definition of the same name replaces theirs.  False if not all
 * are known: a library is not found, the program looks names up at run time, or an option of
 * the linker may name something.
 *
 * Functions that the program only declares, and that such an object or library defines, get
 * the attribute HD_DEFINED_IN with the name of its file. */
#define HD_DEFINED_IN "heddle-defined-in"
bool hd_native_names(const struct hd_resolver *resolver, const struct hd_driver *driver,
                     LLVMModuleRef program, struct hd_strmap *names);

/* The files of libraries, outside the directories of -L, whose symbols that reads. */
void hd_native_libraries(const struct hd_driver *driver, struct hd_strs *paths);

#endif
