/* The memory models, as axioms over a whole graph. */
#ifndef AX_MODEL_H
#define AX_MODEL_H

#include "graph.h"

enum ax_model { AX_SC, AX_TSO, AX_RC11, AX_MODELS };

extern const char *const ax_model_names[];

/* Whether the graph, with all of its mo, is consistent.  Every relation of o has been filled.
 */
bool ax_consistent(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o);

/* A relation `before` of which the axioms of the model imply that before ; eco? is irreflexive,
 * and which does not need mo.  In a part of a graph that is closed under po and rf it is what
 * it is in the whole graph. */
void ax_before(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o,
               struct ax_rel *before);

#endif
