/* Made once with pthread_once, and once with a flag. */
#include "two_threads.h"
static pthread_once_t control = PTHREAD_ONCE_INIT;
static int made, guessed, has_guess;
static void make(void) { made = 5; /* begun once */ } //! race spurious 1
static void *one(void *arg)
{
    pthread_once(&control, make);
    if (!has_guess) { //! race real 2
        guessed = 5;
        has_guess = 1; //! race real 2
    }
    return made == 5 ? arg : NULL; //! race spurious 1
}
int main(void) { return run_two(one, one); }
