/* What every report format is made from: the whole of a check. */
#ifndef HD_REPORT_REPORT_H
#define HD_REPORT_REPORT_H

#include "base/str.h"
#include "report/earlier.h"
#include "report/verdict.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

struct hd_report {
    const char *version;
    const char *program; /* the files, as given */
    const char *strategy;
    double compile_seconds;
    bool require_verified;
    const struct hd_summary *summary;
    const struct hd_result *result;
    const struct hd_earlier *earlier; /* NULL: nothing was tried before the search */
    char *const *traces;              /* path per run; NULL where none was written */
    /* path per run, of the nearest run that passes; the array may be NULL */
    char *const *passing;
    const char *replay;    /* the command, "heddle replay"; NULL: not known */
    char *const *operands; /* per run, of that command; NULL where there is no trace */
    char *const *passing_operands;
    struct hd_program *file;
};

#endif
