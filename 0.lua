return {
    claims = "orders",
    choose = function(view)
        return #view.alternatives
    end,
}
