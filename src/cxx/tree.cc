/* The red-black tree of std::map and std::set: order and balance.
 *
 * The header is a node beside the tree: its parent is the root, left and right are the first and
 * the last node.  It is red, which tells it from the root. */
#include <map>

using node = std::_Rb_tree_node_base;

static const auto red = std::_S_red, black = std::_S_black;

static bool is_red(const node *n) { return n && n->_M_color == red; }

static node *first_of(node *n)
{
    while (n->_M_left)
        n = n->_M_left;
    return n;
}

static node *last_of(node *n)
{
    while (n->_M_right)
        n = n->_M_right;
    return n;
}

static node *next_of(node *n)
{
    if (n->_M_right)
        return first_of(n->_M_right);
    node *up = n->_M_parent;
    while (n == up->_M_right) {
        n = up;
        up = up->_M_parent;
    }
    /* The root without a right child: going up has passed the header. */
    return n->_M_right == up ? n : up;
}

static node *previous_of(node *n)
{
    if (is_red(n) && n->_M_parent->_M_parent == n)
        return n->_M_right; /* the header's previous one is the last */
    if (n->_M_left)
        return last_of(n->_M_left);
    node *up = n->_M_parent;
    while (n == up->_M_left) {
        n = up;
        up = up->_M_parent;
    }
    return up;
}

namespace std
{
node *_Rb_tree_increment(node *n) throw() { return next_of(n); }
node *_Rb_tree_decrement(node *n) throw() { return previous_of(n); }
const node *_Rb_tree_increment(const node *n) throw() { return next_of(const_cast<node *>(n)); }
const node *_Rb_tree_decrement(const node *n) throw()
{
    return previous_of(const_cast<node *>(n));
}
} // namespace std

/* `with` takes the place of `old` under its parent. */
static void replace(node &header, node *old, node *with)
{
    node *up = old->_M_parent;
    if (header._M_parent == old)
        header._M_parent = with;
    else if (up->_M_left == old)
        up->_M_left = with;
    else
        up->_M_right = with;
    if (with)
        with->_M_parent = up;
}

static void rotate_left(node &header, node *n)
{
    node *up = n->_M_right;
    n->_M_right = up->_M_left;
    if (n->_M_right)
        n->_M_right->_M_parent = n;
    replace(header, n, up);
    up->_M_left = n;
    n->_M_parent = up;
}

static void rotate_right(node &header, node *n)
{
    node *up = n->_M_left;
    n->_M_left = up->_M_right;
    if (n->_M_left)
        n->_M_left->_M_parent = n;
    replace(header, n, up);
    up->_M_right = n;
    n->_M_parent = up;
}

static void rotate(node &header, node *n, bool left)
{
    left ? rotate_left(header, n) : rotate_right(header, n);
}

static void link(bool left, node *n, node *parent, node &header)
{
    n->_M_parent = parent;
    n->_M_left = n->_M_right = nullptr;
    n->_M_color = red;
    if (left) {
        parent->_M_left = n; /* also the first, when the parent is the header */
        if (parent == &header) {
            header._M_parent = n;
            header._M_right = n;
        } else if (parent == header._M_left) {
            header._M_left = n;
        }
    } else {
        parent->_M_right = n;
        if (parent == header._M_right)
            header._M_right = n;
    }
}

void std::_Rb_tree_insert_and_rebalance(const bool left, node *n, node *parent,
                                        node &header) throw()
{
    link(left, n, parent, header);
    while (n != header._M_parent && is_red(n->_M_parent)) {
        node *up = n->_M_parent, *top = up->_M_parent;
        bool on_left = up == top->_M_left;
        node *uncle = on_left ? top->_M_right : top->_M_left;
        if (is_red(uncle)) {
            up->_M_color = uncle->_M_color = black;
            top->_M_color = red;
            n = top;
            continue;
        }
        if (n == (on_left ? up->_M_right : up->_M_left)) {
            rotate(header, up, on_left);
            up = n;
        }
        up->_M_color = black;
        top->_M_color = red;
        rotate(header, top, !on_left);
        break;
    }
    header._M_parent->_M_color = black;
}

/* The paths through `n`, which may be null and is a child of `up`, have lost a black node. */
static void restore_black(node &header, node *n, node *up)
{
    while (n != header._M_parent && !is_red(n)) {
        bool left = n == up->_M_left;
        node *sibling = left ? up->_M_right : up->_M_left;
        if (is_red(sibling)) {
            sibling->_M_color = black;
            up->_M_color = red;
            rotate(header, up, left);
            sibling = left ? up->_M_right : up->_M_left;
        }
        node *near = left ? sibling->_M_left : sibling->_M_right;
        node *far = left ? sibling->_M_right : sibling->_M_left;
        if (!is_red(near) && !is_red(far)) {
            sibling->_M_color = red;
            n = up;
            up = up->_M_parent;
            continue;
        }
        if (!is_red(far)) {
            near->_M_color = black;
            sibling->_M_color = red;
            rotate(header, sibling, !left);
            far = sibling;
            sibling = near;
        }
        sibling->_M_color = up->_M_color;
        up->_M_color = far->_M_color = black;
        rotate(header, up, left);
        break;
    }
    if (n)
        n->_M_color = black;
}

/* Iterators stay valid, so a node with two children changes places with its successor instead of
 * taking over its value. */
node *std::_Rb_tree_rebalance_for_erase(node *const n, node &header) throw()
{
    if (header._M_left == n)
        header._M_left = n->_M_right ? first_of(n->_M_right) : n->_M_parent;
    if (header._M_right == n)
        header._M_right = n->_M_left ? last_of(n->_M_left) : n->_M_parent;
    node *child, *up;
    auto lost = n->_M_color;
    if (n->_M_left && n->_M_right) {
        node *next = first_of(n->_M_right);
        lost = next->_M_color;
        child = next->_M_right;
        up = next->_M_parent == n ? next : next->_M_parent;
        if (next->_M_parent != n) {
            replace(header, next, child);
            next->_M_right = n->_M_right;
            next->_M_right->_M_parent = next;
        }
        replace(header, n, next);
        next->_M_left = n->_M_left;
        next->_M_left->_M_parent = next;
        next->_M_color = n->_M_color;
    } else {
        child = n->_M_left ? n->_M_left : n->_M_right;
        up = n->_M_parent;
        replace(header, n, child);
    }
    if (lost == black)
        restore_black(header, child, up);
    return n;
}
