# bash completion for heddle.  Commands, options and values are those that the installed heddle names, so this
# file never lags behind.

# _heddle_values COMMAND OPTION: what the option takes; nothing, if it is a file or a number.
_heddle_values() {
    case $2 in
    --strategy | --search | --reduce | --finer | --faults | --memory | --races | --heuristic | --files | --livelocks | \
        --reuse | --check | --format)
        heddle "$1" "$2" '?' x.c 2>&1 | sed -nE 's/.*(there are:? |: use |may fail \()//; T
            s/[;)].*//; s/, and .*//; s/,? or /, /g; s/\[[^,]*//g; s/, /\n/g; p'
        ;;
    --analysis) printf '%s\n' off fast full all ;;
    esac
}

_heddle() {
    local cur=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]:-} words before=
    COMPREPLY=()
    if [ "$COMP_CWORD" -le 1 ] || { [ "$COMP_CWORD" = 2 ] && [ "$command" = help ]; }; then
        words=$(heddle --help 2>/dev/null | sed -n 's/^  heddle \([a-z+]*\) .*/\1/p' | sort -u)
        [ "$COMP_CWORD" = 2 ] && words+=" reason" || words+=" --help --version"
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
    fi
    case $cur in
    -*)
        words=$(heddle "$command" --help all 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
        return
        ;;
    *,*) before=${cur%,*}, ;;
    esac
    words=$(_heddle_values "$command" "$previous")
    if [ "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${cur##*,}"
            [ "$previous" != --strategy ] || { compgen -d -- "$cur"; compgen -f -- "$cur" | grep -E '\.(so|lua)$'; })
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
    fi
}
complete -o filenames -F _heddle heddle
