/* Libraries in the directories of -L. */
#ifndef HD_COMPILE_LIBRARY_H
#define HD_COMPILE_LIBRARY_H

#include "compile/driver.h"

/* The file that -lNAME means there; NULL when there is none.  The caller frees it. */
char *hd_library_find(const struct hd_driver *driver, const char *name);

#endif
