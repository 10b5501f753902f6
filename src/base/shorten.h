/* Long names of C++, shorter. */
#ifndef HD_BASE_SHORTEN_H
#define HD_BASE_SHORTEN_H

#include "base/str.h"

/* Appends the name by these rules:
 *   inline namespaces of the library and ABI tags are left out: std::__cxx11::list -> std::list
 *   std::basic_string<char, …> is std::string
 *   template arguments that the library has as defaults become one `…`: std::vector<int,…>
 *   a list of arguments inside another one becomes <…> if it is long
 *   of a long list the first argument stays: pair<first,…> */
void hd_shorten(struct hd_str *out, const char *name);

#endif
