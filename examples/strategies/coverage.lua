-- A random search guided by coverage: a pair of places is covered when one thread's step there
-- directly follows another thread's at the other.  A thread whose next step would cover a new pair
-- comes first, otherwise a random one.  The search ends when 50 executions in a row have covered
-- nothing new, or as many as the argument says.
--
--   heddle check --strategy coverage.lua:50 program.c
--
-- It samples: it finds bugs, and proves nothing.
local patience = tonumber(argument) or 50
local covered, in_vain, new_pair = {}, 0, false

local function pair(a, b) return a.site .. " " .. b.site end

return {
    claims = "samples",
    ran = function(view, step)
        local before, action = view.step(step - 1), view.step(step)
        if not before or before.thread == action.thread then return end
        new_pair = new_pair or not covered[pair(before, action)]
        covered[pair(before, action)] = true
    end,
    choose = function(view)
        local n, last = #view.alternatives, view.step(view.depth)
        local first = view.random(n)
        for i = 0, n - 1 do
            local k = (first + i - 1) % n + 1
            local next = view.next(view.alternatives[k].thread)
            if last and next.thread ~= last.thread and not covered[pair(last, next)] then return k end
        end
        return first
    end,
    ended = function()
        in_vain = new_pair and 0 or in_vain + 1
        new_pair = false
    end,
    stop = function() return in_vain >= patience end,
}
