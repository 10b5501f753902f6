-- The same as predicate.c.
local claim, predicate, a, b = argument:match("([^,]+),([^,]+),([^,]+),([^,]+)")
local written, owner, writer, turns

local function is_apart(view, n)
    local t = view.step(n)
    for m = 1, n - 1 do
        local s = view.step(m)
        local both = s.variable == a and t.variable == b or s.variable == b and t.variable == a
        if both and s.writes and t.writes and s.thread ~= t.thread and not view.before(m, n) then return true end
    end
    return false
end

local function holds(view, n, s)
    local writes = s.writes and s.kind == "memory"
    if predicate == "order" then
        local is = written and writes and s.variable == b
        written = written or writes and s.variable == a
        return is
    elseif predicate == "inside" then
        if s.variable == a and s.operation == "lock" then owner = s.thread end
        if s.variable == a and s.operation == "unlock" then owner = nil end
        return writes and s.variable == b and owner and owner ~= s.thread
    elseif predicate == "turns" then
        if writes then
            turns = writer and writer ~= s.thread and turns + 1 or 1
            writer = s.thread
        end
        return turns >= tonumber(a)
    elseif predicate == "apart" then
        return is_apart(view, n)
    end
    if writes and s.variable == a then writer = s.thread end
    return n == view.depth and writer == tonumber(b)
end

return {
    claims = claim == "traces" and "checks, traces" or "checks",
    judge = function(view, n)
        if n == 0 then
            written, owner, writer, turns = false, nil, nil, 0
        elseif holds(view, n, view.step(n)) then
            return "it holds"
        end
    end,
}
