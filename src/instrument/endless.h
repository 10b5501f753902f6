/* Loops that are never left and do nothing at all: they let the others go on. */
#ifndef HD_INSTRUMENT_ENDLESS_H
#define HD_INSTRUMENT_ENDLESS_H

#include "instrument/loops.h"
#include "instrument/pass.h"

bool hd_endless(const struct hd_loop *l);
void hd_endless_hook(struct hd_pass *p, const struct hd_loop *l);

#endif
