#include "analyse/facts.h"

void hd_facts_init(struct hd_facts *f, LLVMModuleRef module)
{
    hd_facts_init_within(f, module, HD_POINTS_TO_BUDGET);
}

void hd_facts_init_within(struct hd_facts *f, LLVMModuleRef module, uint64_t budget)
{
    *f = (struct hd_facts){ 0 };
    hd_code_init(&f->code, module);
    hd_points_to_init_within(&f->points_to, &f->code, budget);
    hd_cfg_init(&f->cfg, &f->points_to);
    hd_threads_init(&f->threads, &f->points_to, &f->cfg);
    hd_accesses_init(&f->accesses, &f->points_to);
    hd_sharing_init(&f->sharing, &f->points_to, &f->cfg, &f->threads, &f->accesses);
    for (uint32_t i = 0; i < f->accesses.n; i++)
        if (hd_sharing_access(&f->sharing, &f->accesses.items[i]) == HD_SHARED)
            f->accesses.items[i].flags |= HD_MEM_SHARED;
}

void hd_facts_add_locks(struct hd_facts *f)
{
    hd_locks_init(&f->locks, &f->points_to, &f->cfg, &f->threads, &f->accesses);
}

void hd_facts_release(struct hd_facts *f)
{
    hd_locks_release(&f->locks);
    hd_sharing_release(&f->sharing);
    hd_accesses_release(&f->accesses);
    hd_threads_release(&f->threads);
    hd_cfg_release(&f->cfg);
    hd_points_to_release(&f->points_to);
    hd_code_release(&f->code);
}
