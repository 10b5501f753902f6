// An array is deleted as if it were one object.
// expect: violation memory
int main()
{
    int *numbers = new int[3];
    numbers[0] = 1;
    delete numbers; /* violation */
}
