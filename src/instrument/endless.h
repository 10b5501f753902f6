/* Endless loops that do nothing: other threads go on. */
#ifndef HD_INSTRUMENT_ENDLESS_H
#define HD_INSTRUMENT_ENDLESS_H

#include "instrument/loops.h"
#include "instrument/pass.h"

bool hd_endless(const struct hd_loop *l);
void hd_endless_hook(struct hd_pass *p, const struct hd_loop *l);

#endif
