/* The checks of libstdc++'s own preconditions, which are on under heddle. */
#include <cstddef>

extern "C" [[noreturn]] void heddle_precondition_failed(const char *condition);

namespace std
{
void __glibcxx_assert_fail(const char *, int, const char *, const char *condition) noexcept
{
    heddle_precondition_failed(condition);
}
} // namespace std
