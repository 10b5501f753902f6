#include "cli/check_values.h"

#include "report/verdict.h"

#include <string.h>

int hd_value_nondet(struct hd_options *options, const char *value, struct hd_err *err)
{
    if (!hd_nondet_parse(value, &options->nondet))
        return hd_err_set(err, "--nondet %.40s: give a range of at most %d numbers, as in -1..3",
                          value, HD_MAX_CHOICES);
    return 0;
}

int hd_value_files(struct hd_options *options, const char *value, struct hd_err *err)
{
    options->files_off = strcmp(value, "off") == 0;
    if (!options->files_off && strcmp(value, "on") != 0)
        return hd_err_set(err, "--files %.20s: there are on, off", value);
    return 0;
}

int hd_value_input(struct hd_options *options, const char *value, struct hd_err *err)
{
    if (!hd_stdin_parse(value, &options->input))
        return hd_err_set(
            err,
            "--input %.40s: give the bytes of which input is made, each once and at "
            "most %d, as in nondet:ab\\n",
            value, HD_MAX_INPUT_BYTES);
    return 0;
}

int hd_value_faults(struct hd_options *options, const char *value, struct hd_err *err)
{
    if (!hd_faults_parse(value, &options->faults))
        return hd_err_set(
            err,
            "--faults %.40s: give what may fail (malloc, io, create, cas; separated "
            "by commas) and how often at most (1 to %d), as in malloc,create:2",
            value, HD_MAX_FAULTS);
    return 0;
}

int hd_value_reuse(struct hd_options *options, const char *value, struct hd_err *err)
{
    if (strchr(value, ':') || !hd_reuse_parse(value, &options->reuse))
        return hd_err_set(err, "--reuse %.20s: there are off, auto, all", value);
    return 0;
}

static bool set_race_policy(struct hd_options *options, const char *name, size_t length)
{
    for (uint32_t i = HD_RACES_OFF; i <= HD_RACES_ERROR; i++) {
        const char *known = hd_races_text(i);
        if (strlen(known) == length && strncmp(name, known, length) == 0) {
            options->races = i;
            return true;
        }
    }
    return false;
}

/* "warn", "volatile-ok", "warn,volatile-ok" */
int hd_value_races(struct hd_options *options, const char *value, struct hd_err *err)
{
    static const char ok[] = "volatile-ok";
    const char *comma = strchr(value, ',');
    size_t first = comma ? (size_t)(comma - value) : strlen(value);
    const char *last = comma ? comma + 1 : value;
    options->races = HD_RACES_ERROR;
    options->volatile_ok = strcmp(last, ok) == 0;
    if ((!comma && options->volatile_ok) ||
        (set_race_policy(options, value, first) && (!comma || options->volatile_ok)))
        return 0;
    return hd_err_set(err,
                      "--races %.20s: there are error, warn, off, volatile-ok, and one of the "
                      "first three with ,volatile-ok",
                      value);
}

int hd_value_livelocks(struct hd_options *options, const char *value, struct hd_err *err)
{
    options->no_livelocks = strcmp(value, "off") == 0;
    if (!options->no_livelocks && strcmp(value, "error") != 0)
        return hd_err_set(err, "--livelocks %.20s: there are error, off", value);
    return 0;
}
