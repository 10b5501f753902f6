/* The link step: bitcode inputs become one module, which becomes an object and is linked with
 * the native inputs. */
#ifndef HD_COMPILE_LINK_H
#define HD_COMPILE_LINK_H

#include "base/err.h"
#include "compile/link_request.h"

int hd_link(const struct hd_link_request *request, struct hd_err *err);

#endif
