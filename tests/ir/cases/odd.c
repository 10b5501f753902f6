/* Unaligned members, vectors, integers and floats of odd widths, complex numbers. */
//! event write 4 packed.word @1
//! event write 16 vec @2
//! event write 8 odd @3
//! event write 10 ld @4
//! event read 8 cx @5
//! event read 8 cx @5
struct __attribute__((packed)) {
    char byte;
    int word;
} packed;
typedef float v4 __attribute__((vector_size(16)));
v4 vec;
long double ld;
unsigned _BitInt(40) odd;
_Complex double cx = 3.0;
double t_odd(int x)
{
    packed.word = x;                           /*@1*/
    vec = (v4){ 1, 2, 3, (float)x };           /*@2*/
    odd = (unsigned _BitInt(40))0xffffffffffu; /*@3*/
    ld = x;                                    /*@4*/
    return __real__ cx + __imag__ cx;          /*@5*/
}
int main(void)
{
    double sum = t_odd(77);
    return !(packed.word == 77 && vec[3] == 77 && odd == 0xffffffffff && ld == 77 && sum == 3.0);
}
