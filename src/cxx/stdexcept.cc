/* Exceptions made from a std::string, so that its characters are read in sight. */
#include <stdexcept>
#include <string>

namespace std
{
logic_error::logic_error(const string &text) : logic_error(text.c_str()) {}
domain_error::domain_error(const string &text) : domain_error(text.c_str()) {}
invalid_argument::invalid_argument(const string &text) : invalid_argument(text.c_str()) {}
length_error::length_error(const string &text) : length_error(text.c_str()) {}
out_of_range::out_of_range(const string &text) : out_of_range(text.c_str()) {}
runtime_error::runtime_error(const string &text) : runtime_error(text.c_str()) {}
range_error::range_error(const string &text) : range_error(text.c_str()) {}
overflow_error::overflow_error(const string &text) : overflow_error(text.c_str()) {}
underflow_error::underflow_error(const string &text) : underflow_error(text.c_str()) {}
} // namespace std
