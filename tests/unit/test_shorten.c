/* The rules of base/shorten.h; and the names of functions alone. */
#include "base/demangle.h"
#include "base/shorten.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void is(const char *name, const char *expected)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_str_append(&out, "> ");
    hd_shorten(&out, name);
    assert_string_equal(out.text + 2, expected);
    hd_str_release(&out);
}

static void test_plain(void **state)
{
    (void)state;
    is("", "");
    is("counter", "counter");
    is("app::Stack<int>::count", "app::Stack<int>::count");
    is("pair<int, long>", "pair<int, long>");
}

static void test_defaults(void **state)
{
    (void)state;
    is("std::vector<int, std::allocator<int> >", "std::vector<int,…>");
    is("std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > >::at",
       "std::map<int, long,…>::at");
    is("std::unique_ptr<T, std::default_delete<T> >", "std::unique_ptr<T,…>");
}

static void test_noise(void **state)
{
    (void)state;
    is("std::__cxx11::list<int, std::allocator<int> >", "std::list<int,…>");
    is("std::__1::mutex", "std::mutex");
    is("app::maps[abi:cxx11]", "app::maps");
    is("std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >",
       "std::string");
    is("f(std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> > const&)",
       "f(std::string const&)");
}

static void test_long(void **state)
{
    (void)state;
    is("A<B<a_rather_long_argument_of_a_template, and_another> >", "A<B<…>>");
    is("A<first, a_rather_long_second_argument_of_the_template, and_a_third>", "A<first,…>");
    is("A<an_argument_that_is_by_far_too_long_to_be_shown_in_a_line_of_a_report>", "A<…>");
}

/* Brackets that are none, and text that is no name. */
static void test_operators(void **state)
{
    (void)state;
    is("operator<<", "operator<<");
    is("a::operator<(a const&)", "a::operator<(a const&)");
    is("a<int>::operator->() const", "a<int>::operator->() const");
    is("a::operator<=> <int>", "a::operator<=> <int>");
    is("f<(int)3>", "f<(int)3>");
    is("a<b", "a<b");
    is("a>b", "a>b");
    is("f(int, long)::{lambda(int, char)#1}::operator()(int, char) const",
       "f(int, long)::{lambda(int, char)#1}::operator()(int, char) const");
}

static void function_is(const char *symbol, const char *expected)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_demangle_function(&out, symbol, strlen(symbol));
    assert_string_equal(out.text, expected);
    hd_str_release(&out);
}

/* By the grammar of the Itanium ABI; comments have what c++filt says.  Where no C++ library is
 * loaded, symbols are shown as they are. */
static void test_functions(void **state)
{
    struct hd_str out;
    (void)state;
    function_is("main", "main");
    function_is("", "");
    hd_str_init(&out);
    hd_demangle(&out, "_Z1fv", 5);
    bool readable = strcmp(out.text, "f()") == 0;
    hd_str_release(&out);
    if (!readable)
        skip();
    function_is("_Z1fv", "f");
    function_is("_ZN5QueueIiE4pushEi", "Queue<int>::push");  /* Queue<int>::push(int) */
    function_is("_ZNK5QueueIiE4sizeEv", "Queue<int>::size"); /* Queue<int>::size() const */
    function_is("_Z5twiceIiET_S0_", "twice<int>");           /* int twice<int>(int) */
    function_is("_ZN1AclEi", "A::operator()");               /* A::operator()(int) */
    function_is("_ZN1AlsEi", "A::operator<<");               /* A::operator<<(int) */
    function_is("_ZN1AcviEv", "A::operator int");            /* A::operator int() */
    function_is("_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f");
    function_is("_ZZ4mainENKUlvE_clEv",
                "main::{lambda#1}");                 /* main::{lambda()#1}::operator()() const */
    function_is("_ZZ4mainENK3$_0clEv", "main::$_0"); /* main::$_0::operator()() const */
    function_is("_ZN1AD2Ev", "A::~A");               /* A::~A() */
    function_is("_ZN9operators3runEv", "operators::run");
    function_is("_Znot_a_name", "_Znot_a_name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_functions),
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_noise),
        cmocka_unit_test(test_long),     cmocka_unit_test(test_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
