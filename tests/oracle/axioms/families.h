/* Families of programs whose number of graphs is known. */
#ifndef AX_FAMILIES_H
#define AX_FAMILIES_H

#include "model.h"

struct ax_family {
    const char *name, *summary;
    /* Writes the program with this parameter. */
    void (*put)(FILE *out, uint32_t n);
};

/* The families, ended by one without a name. */
extern const struct ax_family ax_families[];

/* What is known: counts[i] for the parameter n[i], while n[i] is not 0. */
struct ax_known {
    const char *family;
    uint32_t n[4];
    uint32_t counts[AX_MODELS][4];
};

/* Ended by one without a family. */
extern const struct ax_known ax_known[];

#endif
