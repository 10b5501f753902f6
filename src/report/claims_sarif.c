/* SARIF 2.1.0: a result is a warning; its locations and related locations are the places. */
#include "report/claims.h"

#include "base/json.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

static void add_location(struct hd_claim *claim, const struct hd_json *location)
{
    const struct hd_json *physical = hd_json_get(location, "physicalLocation");
    const char *uri = hd_json_text_of(
        hd_json_get(hd_json_get(physical, "artifactLocation"), "uri"));
    uint32_t line = hd_json_uint(hd_json_get(hd_json_get(physical, "region"), "startLine"));
    if (hd_str_starts(uri, "file://"))
        uri += strlen("file://");
    if (*uri && line)
        hd_claim_place(claim, uri, strlen(uri), line);
}

static void add_all(struct hd_claim *claim, const struct hd_json *locations)
{
    if (locations && locations->kind == HD_JSON_ARRAY)
        for (const struct hd_json *l = locations->first; l; l = l->next)
            add_location(claim, l);
}

static void add_result(struct hd_claims *claims, const struct hd_json *result)
{
    const char *rule = hd_json_text_of(hd_json_get(result, "ruleId"));
    const char *words = hd_json_text_of(hd_json_get(hd_json_get(result, "message"), "text"));
    char *both = hd_str_format("%s%s%s", words, *words && *rule ? " " : "", rule);
    enum hd_claim_kind kind = hd_claim_kind_of(both, strlen(both));
    const char *message = *words ? words : rule;
    struct hd_claim *claim = hd_claims_add(claims, kind, message, strlen(message));
    free(both);
    add_all(claim, hd_json_get(result, "locations"));
    if (kind != HD_CLAIM_FAULT)
        add_all(claim, hd_json_get(result, "relatedLocations"));
}

int hd_claims_sarif(struct hd_claims *claims, const char *name, const char *bytes, size_t n,
                    struct hd_err *err)
{
    struct hd_json_text json;
    if (hd_json_parse(&json, name, bytes, n, err) != 0)
        return -1;
    const struct hd_json *runs = hd_json_get(json.root, "runs");
    int failed = 0;
    if (!runs || runs->kind != HD_JSON_ARRAY)
        failed = hd_err_set(err, "%s: JSON, but no SARIF: it has no `runs`", name);
    for (const struct hd_json *run = failed ? NULL : runs->first; run; run = run->next) {
        const struct hd_json *results = hd_json_get(run, "results");
        if (results && results->kind == HD_JSON_ARRAY)
            for (const struct hd_json *r = results->first; r; r = r->next)
                add_result(claims, r);
    }
    hd_json_release(&json);
    return failed;
}
