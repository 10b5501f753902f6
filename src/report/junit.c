#include "report/junit.h"

#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>

static void attribute(struct hd_str *out, const char *name, const char *text)
{
    hd_str_appendf(out, " %s=\"", name);
    hd_str_append_xml(out, text);
    hd_str_append_char(out, '"');
}

static void opening(struct hd_str *out, const char *program, double seconds, int failures,
                    int errors)
{
    hd_str_appendf(out,
                   "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                   "  <testsuite name=\"heddle\" tests=\"1\" failures=\"%d\" errors=\"%d\" "
                   "skipped=\"0\" time=\"%.3f\">\n    <testcase classname=\"heddle\"",
                   failures, errors, seconds);
    attribute(out, "name", program);
    hd_str_appendf(out, " time=\"%.3f\">\n", seconds);
}

static void closing(struct hd_str *out)
{
    hd_str_append(out, "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

/* What the terminal would show. */
static void body(struct hd_str *out, const struct hd_report *report)
{
    char *words = NULL;
    size_t n = 0;
    struct hd_terminal text = { .out = open_memstream(&words, &n), .width = 100 };
    if (!text.out)
        return;
    for (uint32_t i = 0; i < report->result->n_runs; i++)
        hd_text_violation(&text, &report->result->runs[i], report->file);
    hd_text_verdict(&text, report->summary, report->result);
    fclose(text.out);
    hd_str_append_xml(out, words);
    free(words);
}

void hd_junit_result(struct hd_str *out, const struct hd_report *report)
{
    const struct hd_result *result = report->result;
    bool unverified = report->require_verified && report->summary->verdict != HD_VERIFIED;
    bool broken = report->summary->verdict == HD_VIOLATION, failed = broken || unverified;
    opening(out, report->program, result->seconds + report->compile_seconds, failed, 0);
    if (failed) {
        hd_str_append(out, "      <failure");
        attribute(out, "type",
                  broken ? hd_kind_text(result->runs[0].finding.kind) : "not-verified");
        attribute(out, "message",
                  broken ? result->runs[0].finding.message : "not everything was explored");
        hd_str_append_char(out, '>');
    } else {
        hd_str_append(out, "      <system-out>");
    }
    body(out, report);
    hd_str_append(out, failed ? "</failure>\n" : "</system-out>\n");
    closing(out);
}

void hd_junit_error(struct hd_str *out, const char *program, const char *message)
{
    opening(out, program, 0, 0, 1);
    hd_str_append(out, "      <error type=\"error\"");
    attribute(out, "message", message);
    hd_str_append(out, "/>\n");
    closing(out);
}
