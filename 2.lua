return {
    claims = "ranks",
    rank = function(view)
        local waiting = 0
        for thread = 0, view.n_threads - 1 do
            local action = view.next(thread)
            if action and not action.enabled then waiting = waiting + 1 end
        end
        return waiting
    end,
}
