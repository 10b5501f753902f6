#include "report/trace.h"

#include "base/fs.h"

#include <stdlib.h>

int hd_trace_read(struct hd_trace *trace, const char *path, struct hd_err *err)
{
    struct hd_str bytes;
    hd_str_init(&bytes);
    int failed = hd_fs_read(path, &bytes, err);
    if (failed == 0)
        failed = hd_trace_parse(trace, path, bytes.text, bytes.length, err);
    if (failed == 0)
        trace->by_user = hd_trace_is_signed(bytes.text, bytes.length);
    hd_str_release(&bytes);
    return failed;
}

void hd_trace_release(struct hd_trace *trace)
{
    hd_trace_head_release(&trace->head);
    free(trace->message);
    free(trace->steps);
    free(trace->text);
    *trace = (struct hd_trace){ 0 };
}
