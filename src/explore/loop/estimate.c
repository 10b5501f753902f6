#include "explore/loop/estimate.h"

void hd_estimate_left(struct hd_estimate *estimate, const struct hd_path *path, uint32_t depth)
{
    for (uint32_t d = depth; d < path->n_nodes && d < HD_ESTIMATE_DEPTH; d++) {
        estimate->at[d].branches += path->nodes[d].n_open;
        estimate->at[d].nodes += 1;
    }
}

bool hd_estimate_ends(struct hd_estimate *estimate, uint64_t max_depth)
{
    estimate->looks++;
    estimate->deeper += max_depth > estimate->deepest;
    estimate->deepest = max_depth;
    return 2 * estimate->deeper <= estimate->looks;
}

double hd_estimate_explored(const struct hd_estimate *estimate, const struct hd_path *path)
{
    double weight = 1, explored = 0;
    for (uint32_t d = 0; d < path->n_nodes && d < HD_ESTIMATE_DEPTH; d++) {
        const struct hd_node *node = &path->nodes[d];
        double branches = node->n_open;
        if (estimate->at[d].nodes > 0) {
            double mean = estimate->at[d].branches / estimate->at[d].nodes;
            branches = mean > branches ? mean : branches;
        }
        explored += weight * node->taken / branches;
        weight /= branches;
    }
    return explored;
}
