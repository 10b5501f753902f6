# bash completion for heddle.  The options are those that the installed heddle prints in its help, so this
# file never lags behind.
_heddle() {
    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]:-} words
    COMPREPLY=()
    if [ "$COMP_CWORD" -le 1 ]; then
        words="$(heddle --help 2>/dev/null | sed -n 's/^  heddle \([a-z+]*\) .*/\1/p' | sort -u) --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    case $cur in
    -*)
        words=$(heddle "$command" --help all 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        ;;
    *)
        if [ "${COMP_WORDS[COMP_CWORD - 1]}" = --strategy ]; then
            words=$(heddle check --strategy '?' x.c 2>&1 | sed -n 's/.*there are: //p' | tr -d '[]' | tr ', ' '\n\n')
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; compgen -d -- "$cur"
                                     compgen -f -- "$cur" | grep -E '\.(so|lua)$')
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        fi
        ;;
    esac
}
complete -o filenames -F _heddle heddle
