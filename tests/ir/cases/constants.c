/* Constants are not observed. */
//! event read 8 names[] @1
//! event read 1 name[] @2
static const int primes[] = { 2, 3, 5 };
const char *names[] = { "zero", "one" };
int t_constants(int i)
{
    const char *name = names[i];                  /*@1*/
    return primes[i] + "abc"[i] + (name[i] == 0); /*@2*/
}
int main(void) { return t_constants(1) != 3 + 'b'; }
