/* The links of std::list. */
#include <list>

using node = std::__detail::_List_node_base;

static void join(node *before, node *behind)
{
    before->_M_next = behind;
    behind->_M_prev = before;
}

void node::_M_hook(node *const position) noexcept
{
    node *before = position->_M_prev;
    join(before, this);
    join(this, position);
}

void node::_M_unhook() noexcept { join(_M_prev, _M_next); }

/* [first, last) out of where it is, to the place before this. */
void node::_M_transfer(node *const first, node *const last) noexcept
{
    if (this == last || first == last)
        return;
    node *final = last->_M_prev, *before = _M_prev;
    join(first->_M_prev, last);
    join(before, first);
    join(final, this);
}

void node::_M_reverse() noexcept
{
    node *at = this;
    do {
        node *next = at->_M_next;
        at->_M_next = at->_M_prev;
        at->_M_prev = next;
        at = next;
    } while (at != this);
}

static void adopt(node &head, node *first, node *final, bool empty)
{
    if (empty) {
        join(&head, &head);
    } else {
        join(&head, first);
        join(final, &head);
    }
}

void node::swap(node &x, node &y) noexcept
{
    node *x_first = x._M_next, *x_final = x._M_prev;
    node *y_first = y._M_next, *y_final = y._M_prev;
    adopt(x, y_first, y_final, y_first == &y);
    adopt(y, x_first, x_final, x_first == &x);
}
