-- A checker: no thread may have a lock at the end.  How many locks a thread holds follows from its own steps, so the
-- order of independent steps does not matter: "traces".
return {
    claims = "checks, traces",
    judge = function(view, n)
        if n < view.depth then return nil end
        for thread = 0, view.n_threads - 1 do
            if view.held(thread) > 0 then
                return string.format("thread %d holds a lock at the end", thread)
            end
        end
    end,
}
