/* What is not modelled says so.  (Headers are left out on purpose: the definitions here have no
 * arguments.) */
#include "runtime/rt.h"

static _Noreturn void refuse(const char *function)
{
    char place[300];
    hd_site_text(hd_take_site(), place, sizeof place);
    hd_fatal("%s: %s() is not modelled by this version of heddle", place, function);
}

#pragma clang diagnostic ignored "-Wincompatible-library-redeclaration"
#define HD_UNSUPPORTED(function)                                                                 \
    long function(void);                                                                         \
    long function(void) { refuse(#function); }
#include "runtime/unsupported.def"
