-- Best first: the search goes on from the state in which most threads wait, and of equals from the one nearest to the root.
--
--   heddle check --strategy waiting.lua program.c
--
-- It ranks: deadlocks are found early, and nothing is proved.
return {
    claims = "ranks",
    rank = function(view)
        local waiting = 0
        for thread = 0, view.n_threads - 1 do
            local action = view.next(thread)
            if action and not action.enabled then
                waiting = waiting + 1
            end
        end
        return waiting - view.depth / 1000
    end,
}
