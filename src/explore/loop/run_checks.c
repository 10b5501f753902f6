#include "explore/loop/run_checks.h"

void hd_checks_create(struct hd_explorer *ex)
{
    struct hd_check_set *set = &ex->checks;
    for (uint32_t i = 0; i < HD_N_CHECKS; i++) {
        const struct hd_check *check = hd_checks[i];
        set->self[i] = check->create ? check->create(ex) : NULL;
        uint32_t bit = (uint32_t)(set->self[i] || !check->create) << i;
#define HAS(hook) set->hook |= check->hook ? bit : 0
        HAS(at_state);
        HAS(at_node);
        HAS(waits);
        HAS(look);
        HAS(ended);
        HAS(endless);
        HAS(back);
        HAS(over);
#undef HAS
        if (bit && check->skips_nodes && check->skips_nodes(set->self[i]))
            set->at_node &= ~bit;
    }
}

enum hd_judged hd_checks_at_state(struct hd_explorer *ex, struct hd_finding *finding)
{
    enum hd_judged is = HD_JUDGED_GOOD;
    for (uint32_t w = ex->checks.at_state; w && is == HD_JUDGED_GOOD; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        is = hd_checks[i]->at_state(ex->checks.self[i], ex, finding);
    }
    return is;
}
