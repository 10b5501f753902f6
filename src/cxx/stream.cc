/* Output of strings: the characters are read here, the rest is the stream's business. */
#include <ostream>
#include <string>

namespace std
{
template ostream &operator<<(ostream &, const string &);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, char);
template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
} // namespace std
