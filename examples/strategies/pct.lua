-- PCT (Burckhardt, Kothari, Musuvathi & Nagarakatte, ASPLOS 2010): every thread has a random
-- priority, the enabled thread with the highest runs, and at D - 1 random steps the priority of the
-- thread that has just run falls below all others.
--
--   heddle check --strategy pct.lua:3 --executions 1000 program.c
--
-- It samples: it finds bugs, and proves nothing.
local D = argument == "" and 3 or tonumber(argument)
if not D or D < 1 then error("pct.lua:D: D is 1 or more") end

local longest = 100 -- steps, until an execution has shown it
local execution, priority, changes, lowest

local function begin(view) -- a new execution: draw everything anew
    if execution == view.execution then return end
    execution, priority, changes, lowest = view.execution, {}, {}, 0
    for _ = 2, D do changes[view.random(longest)] = true end
end

local function priority_of(view, thread)
    priority[thread] = priority[thread] or view.random(1000000000)
    return priority[thread]
end

return {
    claims = "samples",
    ran = function(view, step)
        begin(view)
        if changes[step] then
            lowest = lowest - 1
            priority[view.step(step).thread] = lowest
        end
    end,
    choose = function(view)
        begin(view)
        local best = 1
        for i, a in ipairs(view.alternatives) do
            if priority_of(view, a.thread) > priority_of(view, view.alternatives[best].thread) then best = i end
        end
        return best
    end,
    ended = function(view) longest = math.max(longest, view.depth) end,
}
