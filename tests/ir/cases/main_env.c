/* main's third parameter, and calls of main itself. */
int depth;
int main(int argc, char **argv, char **envp)
{
    if (depth++ == 0)
        return main(argc, argv, envp);
    return !(argc == 1 && argv[0] && argv[1] == 0 && envp && depth == 2);
}
