-- A checker: --strategy in_order.lua:A,B objects when variable B is written before variable A.  These steps may be
-- independent, so all of their orders have to be seen: it does not claim "traces".
local first, second = argument:match("^([^,]+),([^,]+)$")
if not first then error("it needs two variables: --strategy in_order.lua:A,B", 0) end
local written -- the first variable is, in the execution that is judged

return {
    claims = "checks",
    judge = function(view, n)
        if n == 0 then -- another execution
            written = false
            return nil
        end
        local action = view.step(n)
        if not action.writes then return nil end
        if action.variable == first then written = true end
        if action.variable == second and not written then
            return string.format("%s is written before %s", second, first)
        end
    end,
}
