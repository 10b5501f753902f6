-- A heuristic: threads that hold locks come first, and of these the one that is about to take another.
--
--   heddle check --strategy lock_holders.lua program.c
--
-- It only orders: the search is complete, and the verdict can be `verified`.
return {
    claims = "orders",
    score = function(view, i)
        local thread = view.alternatives[i].thread
        local next = view.next(thread)
        return view.held(thread) + (next.operation == "lock" and 0.5 or 0)
    end,
}
