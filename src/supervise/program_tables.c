/* Tables that the executable carries beside that of its sites (core/site.h).  A damaged file
 * reads as one without them. */
#include "supervise/program.h"

#include <string.h>

const void *hd_program_module(const struct hd_program *p, size_t *bytes)
{
    return hd_program_section(p, HD_SECTION_MODULE, bytes);
}

/* The i'th word of a section; false: it has none. */
static bool word_of(const struct hd_program *p, const char *section, size_t i, uint32_t *word)
{
    size_t bytes;
    const char *words = hd_program_section(p, section, &bytes);
    if (!words || i >= bytes / sizeof *word)
        return false;
    memcpy(word, words + i * sizeof *word, sizeof *word);
    return true;
}

uint32_t hd_program_point(const struct hd_program *p, uint32_t site)
{
    uint32_t point;
    return word_of(p, HD_SECTION_POINTS, site, &point) ? point : UINT32_MAX;
}

uint32_t hd_program_flow(const struct hd_program *p, uint32_t site, enum hd_flow_of of,
                         uint32_t *sources, uint32_t most, bool *all)
{
    size_t row = (size_t)site * HD_FLOWS + of;
    uint32_t at, end, n = 0;
    *all = site && site < hd_program_info(p)->n_sites && word_of(p, HD_SECTION_FLOWS, row, &at) &&
           word_of(p, HD_SECTION_FLOWS, row + 1, &end);
    for (; *all && at < end && n < most; at++) {
        if (!word_of(p, HD_SECTION_FLOWS, at, &sources[n]))
            *all = false;
        else if (sources[n])
            n++;
        else
            break;
    }
    *all = *all && at == end;
    return n;
}
